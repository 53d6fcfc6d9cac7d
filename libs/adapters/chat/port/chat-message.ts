/** A piece of text: plain, bold, or a link. It contains no markup; drivers escape it. */
export type ChatRun = string | { readonly bold: string } | { readonly link: string; readonly text: string };

/** A block of a message. */
export type ChatPart =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly runs: readonly ChatRun[] }
  /** Text by another author. */
  | { readonly kind: 'quote'; readonly text: string }
  /** Small print. */
  | { readonly kind: 'note'; readonly runs: readonly ChatRun[] };

/** A message for a channel. Text beyond the vendor's limits is truncated, not refused. */
export interface ChatMessage {
  /** The same in one line, for notifications and screen readers. */
  readonly summary: string;
  readonly parts: readonly ChatPart[];
}
