import type { ContactView } from '#domain/properties/view.ts'

/** What a team holds of one person, whom it knows by an e-mail address. */
export interface PersonalDataView {
  object: 'personal_data'
  email: string
  contacts: HeldContactView[]
  /** Where else the person is named, by address, by telephone number or by a name of at least two words. */
  mentions: MentionView[]
  /** Other contacts with the same name. Where there are any, a name alone stands for nobody. */
  namesakes: NamesakeView[]
}

/** A contact with the property that it is of. */
export interface HeldContactView {
  contact: ContactView
  property_id: string
  property_name: string
}

/** A text that names the person. */
export interface MentionView {
  object: 'mention'
  /** What kind of record holds it: property, report, delivery ... */
  record: string
  id: string
  field: string
  /** The words around it. */
  excerpt: string
  /** Null where erasing takes it away; else why it stays. */
  kept_because: string | null
}

export interface NamesakeView {
  contact_id: number
  property_id: string
}

/** What was removed of one person, without the words themselves. */
export interface ErasedDataView {
  object: 'erased_data'
  email: string
  contacts: { contact_id: number; property_id: string }[]
  mentions: ErasedMentionView[]
  /** Documents that named the person: removed, and printed anew without. */
  documents: string[]
  kept: ErasedMentionView[]
  namesakes: NamesakeView[]
}

export interface ErasedMentionView {
  object: 'mention'
  record: string
  id: string
  field: string
  kept_because: string | null
}
