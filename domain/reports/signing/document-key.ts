import type { KeyObject, X509Certificate } from 'node:crypto'

/** The key and certificates that sign a document as a whole. */
export interface DocumentKey {
  /** Identifies its public key in the published list. */
  key_id: string
  /** The signer's certificate first, then its issuers up to an authority, as far as they are known. */
  certificates: [X509Certificate, ...X509Certificate[]]
  private_key: KeyObject
}

/** Returns the signer's name as a PDF reader shows it: the certificate's common name, else its whole subject. */
export function signerName({ certificates: [{ subject }] }: Pick<DocumentKey, 'certificates'>): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
}
