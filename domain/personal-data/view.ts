import type { ContactView } from '#domain/properties/view.ts'

/** What a team stores about one person, identified by an e-mail address. */
export interface PersonalDataView {
  object: 'personal_data'
  email: string
  contacts: HeldContactView[]
  /** Other texts that mention the person: by address, by telephone number or by a name of at least two words. */
  mentions: MentionView[]
  /** Other contacts with the same name. If there are any, a name alone does not identify the person. */
  namesakes: NamesakeView[]
}

/** A contact and its property. */
export interface HeldContactView {
  contact: ContactView
  property_id: string
  property_name: string
}

/** A text that mentions the person. */
export interface MentionView {
  object: 'mention'
  /** The kind of record that contains it: property, report, delivery ...; `member` for the account of a member. */
  record: string
  id: string
  field: string
  /** The words around it. */
  excerpt: string
  /** Null if erasing removes it; otherwise the reason why it stays. */
  kept_because: string | null
}

export interface NamesakeView {
  contact_id: number
  property_id: string
}

/** What was removed about one person, without the words themselves. */
export interface ErasedDataView {
  object: 'erased_data'
  email: string
  contacts: { contact_id: number; property_id: string }[]
  mentions: ErasedMentionView[]
  /** Documents that mentioned the person: they were removed and are printed again without the person. */
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
