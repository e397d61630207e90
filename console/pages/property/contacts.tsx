import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { VariablesOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../../api/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { changedOf, choiceOf, textOf } from '../../parts/form-text.ts'
import { useIdempotencyKey } from '../../parts/idempotency-key.ts'
import { SelectField } from '../../parts/select-field.tsx'
import { Table } from '../../parts/table.tsx'
import { useNotify } from '../../parts/toasts.tsx'

const ADD = graphql(`
  mutation AddContact(
    $property: UUID!, $name: String!, $role: ContactRole, $company: String, $phone: String, $email: String, $notes: String, $primary: Boolean
    $key: String
  ) {
    createContact(
      property: $property, name: $name, role: $role, company: $company, phone: $phone, email: $email, notes: $notes, primary: $primary
      idempotency_key: $key
    ) { id }
  }
`)
const CHANGE = graphql(`
  mutation ChangeContact(
    $property: UUID!, $contact: Int!, $name: String, $role: ContactRole, $company: String, $phone: String, $email: String
    $notes: String, $primary: Boolean
  ) {
    updateContact(
      property: $property, contact: $contact, name: $name, role: $role, company: $company, phone: $phone, email: $email
      notes: $notes, primary: $primary
    ) { id }
  }
`)
const REMOVE = graphql(`mutation RemoveContact($property: UUID!, $contact: Int!) { deleteContact(property: $property, contact: $contact) }`)

type Role = NonNullable<VariablesOf<typeof ADD>['role']>

const roles: Record<Role, string> = {
  owner: 'Owner',
  property_manager: 'Property manager',
  tenant: 'Tenant',
  site_contact: 'Site contact',
  insurance_agent: 'Insurance agent',
  adjuster: 'Adjuster',
  contractor: 'Contractor',
  other: 'Other',
}

interface Contact {
  id: number
  name: string
  role: Role
  company: string | null
  phone: string | null
  email: string | null
  notes: string | null
  primary: boolean
}

interface Props {
  property: string
  contacts: readonly Contact[]
  /** Whether the person may change them. */
  canEdit: boolean
}

/** The people to contact about a property. */
export function Contacts({ property, contacts, canEdit }: Props) {
  const queries = useQueryClient()
  const notify = useNotify()
  const [editing, setEditing] = useState<Contact | 'new' | null>(null)
  const [removing, setRemoving] = useState<Contact | null>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: ['property', property] })
  const remove = useMutation({
    mutationFn: (contact: number) => ask(REMOVE, { property, contact }),
    onSuccess: () => notify('The contact is removed.'),
    onError: (fault) => notify(fault.message),
    onSettled: () => {
      setRemoving(null)
      return refresh()
    },
  })
  return (
    <section aria-labelledby="contacts">
      <h2 className="apart-above" id="contacts">
        Contacts
      </h2>
      {contacts.length === 0 ? (
        <p className="soft">No contacts yet.</p>
      ) : (
        <ContactTable contacts={contacts} canEdit={canEdit} edit={setEditing} remove={setRemoving} />
      )}
      {canEdit && (
        <p className="apart-above">
          <Button onPress={() => setEditing('new')}>Add a contact</Button>
        </p>
      )}
      {editing && (
        <ContactDialog
          property={property}
          contact={editing === 'new' ? null : editing}
          close={() => setEditing(null)}
          done={() => {
            setEditing(null)
            refresh()
          }}
        />
      )}
      <ConfirmDialog
        title={`Remove ${removing?.name ?? ''}?`}
        open={removing !== null}
        cancelLabel="Keep it"
        close={() => setRemoving(null)}
        label="Remove"
        pending={remove.isPending}
        act={() => removing && remove.mutate(removing.id)}
      >
        <p>The name and the contact details are deleted from this property.</p>
      </ConfirmDialog>
    </section>
  )
}

interface ContactTableProps {
  contacts: readonly Contact[]
  canEdit: boolean
  edit: (contact: Contact) => void
  remove: (contact: Contact) => void
}

function ContactTable({ contacts, canEdit, edit, remove }: ContactTableProps) {
  const actionsColumn = {
    label: 'Actions',
    show: (one: Contact) => (
      <span className="row record-acts">
        <Button aria-label={`Edit ${one.name}`} onPress={() => edit(one)}>
          Edit
        </Button>
        <Button kind="destructive" aria-label={`Remove ${one.name}`} onPress={() => remove(one)}>
          Remove
        </Button>
      </span>
    ),
  }
  return (
    <Table<Contact>
      caption="Contacts, primary contact first"
      rows={contacts}
      keyOf={({ id }) => id}
      columns={[
        {
          label: 'Name',
          freeText: true,
          show: ({ name, primary, notes }) => (
            <>
              {name} {primary && <span className="badge good">Primary</span>}
              {notes && <span className="record-words lines">{notes}</span>}
            </>
          ),
        },
        { label: 'Role', show: ({ role }) => roles[role] },
        { label: 'Company', freeText: true, show: ({ company }) => company ?? '–' },
        { label: 'Phone', show: ({ phone }) => (phone ? <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a> : '–') },
        {
          label: 'E-mail',
          freeText: true,
          show: ({ email }) => (email ? <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a> : '–'),
        },
        ...(canEdit ? [actionsColumn] : []),
      ]}
    />
  )
}

interface ContactDialogProps {
  property: string
  /** Null for a new one. */
  contact: Contact | null
  close: () => void
  done: () => void
}

function ContactDialog({ property, contact, close, done }: ContactDialogProps) {
  const keyOf = useIdempotencyKey()
  const save = useMutation({
    mutationFn: async (form: FormData) => {
      const body = inputOf(form)
      if (contact) await ask(CHANGE, { ...changedOf(contact, body), property, contact: contact.id })
      else await ask(ADD, { ...body, property, key: keyOf(body) })
    },
    onSuccess: done,
  })
  return (
    <FormDialog title={contact ? `Edit ${contact.name}` : 'Add a contact'} open close={close} label="Save" mutation={save}>
      {(faults) => (
        <>
          <Field label="Name" faults={faults.name}>
            {(controlProps) => <input {...controlProps} name="name" required defaultValue={contact?.name ?? ''} />}
          </Field>
          <SelectField
            label="Role"
            faults={faults.role}
            name="role"
            defaultValue={contact?.role ?? 'owner'}
            options={Object.entries(roles)}
          />
          <Field label="Company" faults={faults.company}>
            {(controlProps) => <input {...controlProps} name="company" defaultValue={contact?.company ?? ''} />}
          </Field>
          <div className="pair">
            <Field label="Phone" faults={faults.phone}>
              {(controlProps) => <input {...controlProps} name="phone" type="tel" defaultValue={contact?.phone ?? ''} />}
            </Field>
            <Field label="E-mail" faults={faults.email}>
              {(controlProps) => <input {...controlProps} name="email" type="email" defaultValue={contact?.email ?? ''} />}
            </Field>
          </div>
          <Field label="Notes" faults={faults.notes}>
            {(controlProps) => <textarea {...controlProps} name="notes" rows={2} defaultValue={contact?.notes ?? ''} />}
          </Field>
          {!contact?.primary && (
            <label className="row">
              <input type="checkbox" name="primary" value="yes" /> Primary contact
            </label>
          )}
        </>
      )}
    </FormDialog>
  )
}

function inputOf(form: FormData) {
  return {
    name: String(form.get('name')),
    role: choiceOf(form, 'role', roles),
    company: textOf(form, 'company'),
    phone: textOf(form, 'phone'),
    email: textOf(form, 'email'),
    notes: textOf(form, 'notes'),
    ...(form.has('primary') && { primary: true }),
  }
}
