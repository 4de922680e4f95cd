type Word<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Word<Rest>
  : Text

/** The words of a text, each with its literal type. */
export const wordsOf = <Text extends string>(text: Text) =>
  text.split(' ') as readonly string[] as readonly Word<Text>[]
