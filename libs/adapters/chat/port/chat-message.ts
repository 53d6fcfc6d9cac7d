/** A piece of running text: as it is, in bold, or as a link. Nothing in it is markup: whoever speaks to the vendor escapes it. */
export type ChatRun = string | { readonly bold: string } | { readonly link: string; readonly text: string };

/** A part of a message, one below the other. */
export type ChatPart =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly runs: readonly ChatRun[] }
  /** What somebody else has written. */
  | { readonly kind: 'quote'; readonly text: string }
  /** Small print. */
  | { readonly kind: 'note'; readonly runs: readonly ChatRun[] };

/** What is said in a channel. What is too long for the vendor is cut there, never refused. */
export interface ChatMessage {
  /** The same in one line, for notifications and screen readers. */
  readonly summary: string;
  readonly parts: readonly ChatPart[];
}
