import { LINK_MINUTES } from '#domain/engines/signed-link.ts'
import { reportPdfLink } from '#domain/reports/document-store/pdf.ts'
import type { DownloadView, PdfPreparingView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'

const Download = builder.objectRef<DownloadView>('Download').implement({
  description: 'A short-lived link to a document.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('download')),
    url: t.exposeString('url', { description: 'The link. Anyone who has it can read the document until it expires.' }),
    signed: t.exposeBoolean('signed', { description: 'True: the link is signed and needs no token.' }),
    filename: t.exposeString('filename', { description: 'Name to save it under.' }),
    content_type: t.exposeString('content_type', constantField('application/pdf')),
    bytes: t.exposeInt('bytes', { description: 'Size in bytes.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', description: 'When the link expires.' }),
  }),
})

const PdfPreparing = builder.objectRef<PdfPreparingView>('PdfPreparing').implement({
  description: 'The document is still being rendered.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('pdf')),
    status: t.exposeString('status', constantField('preparing')),
    retry_after: t.exposeInt('retry_after', { description: 'Seconds to wait before the next request.' }),
  }),
})

const PdfLink = builder.unionType('PdfLink', {
  description: 'A link to the document, or a notice that it is still being rendered.',
  types: [Download, PdfPreparing],
  resolveType: ({ object }) => (object === 'download' ? Download : PdfPreparing),
})

builder.mutationField('createReportPdfLink', (t) =>
  t.field({
    type: PdfLink,
    description: `Creates a link to the document of a complete report. The link expires after ${LINK_MINUTES} minutes.`,
    extensions: needs('reports:export'),
    args: { report: t.arg({ type: 'UUID', required: true, description: 'Id of the report.' }) },
    resolve: (_root, { report }, context) => reportPdfLink(context.app, callerOf(context), report),
  }),
)
