/** A certificate's common name, else its whole subject. */
export const nameIn = (subject: string) => /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
