/** Characters that change the direction of the text around them: a name with one can reverse the sentence that quotes it. */
const DIRECTION = /\p{Bidi_Control}/gu

/** Returns the text as it is shown. Letters of every script keep their own direction. */
export const displayText = (text: string) => text.replace(DIRECTION, '')
