import type { KeyObject, X509Certificate } from 'node:crypto'

/** What signs a document as a whole. */
export interface DocumentKey {
  /** Names its public key in the published list. */
  key_id: string
  /** The signer's certificate first, then those up to an authority, as far as they are known. */
  certificates: [X509Certificate, ...X509Certificate[]]
  private_key: KeyObject
}

/** The signer's name as a PDF reader shows it: the certificate's common name, else its whole subject. */
export function signerName({ certificates: [{ subject }] }: Pick<DocumentKey, 'certificates'>): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
}
