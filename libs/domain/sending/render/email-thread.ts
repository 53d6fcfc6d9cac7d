/** The emails that a lead has received. */
export interface EmailThread {
  /** Message-IDs, oldest first, with angle brackets; empty before the first email. */
  readonly messageIds: readonly string[];
  /** Subject of the first email. */
  readonly subject: string | null;
}

/** The relation of an email to its predecessors. */
export interface EmailPlace {
  readonly subject: string;
  readonly startsThread: boolean;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
}

const MAX_REFERENCES = 20;
const MAX_SUBJECT = 500;

/** An email without a subject replies in the thread, if there is one; an email with a subject begins a new thread. */
export function placeInThread(subject: string, { messageIds, subject: first }: EmailThread): EmailPlace {
  const last = messageIds.at(-1);
  if (subject.trim() !== '' || last === undefined) return { subject: bounded(subject.trim()), startsThread: true };
  // The first id identifies the thread, the latest ids place the email in it (RFC 5322, 3.6.4).
  const references =
    messageIds.length <= MAX_REFERENCES
      ? messageIds
      : [...messageIds.slice(0, 1), ...messageIds.slice(1 - MAX_REFERENCES)];
  return { subject: replySubject(first ?? ''), startsThread: false, inReplyTo: last, references };
}

function replySubject(subject: string): string {
  return bounded(`Re: ${subject.trim().replace(/^(?:re\s*:\s*)+/i, '')}`.trim());
}

/** Cuts a subject that values made very long: no mail program shows it, and a mail server may refuse it. */
function bounded(subject: string): string {
  return subject.length > MAX_SUBJECT
    ? subject
        .slice(0, MAX_SUBJECT)
        .toWellFormed()
        .replace(/\uFFFD$/, '')
    : subject;
}

/** The stored thread of a lead. */
export interface StoredThread {
  messageIds: string[];
  subject: string;
  providerThreadId: string | null;
}

/** Returns the thread after an email with this subject: continued or new. */
export function threadAfter(
  before: StoredThread | null,
  sent: { subject: string; messageId: string; providerThreadId: string | null },
): StoredThread {
  const goesOn = before !== null && before.messageIds.length > 0 && placeInThread('', before).subject === sent.subject;
  const thread = goesOn ? before : null;
  return {
    messageIds: [...(thread?.messageIds ?? []), sent.messageId],
    subject: thread?.subject ?? sent.subject,
    providerThreadId: sent.providerThreadId ?? thread?.providerThreadId ?? null,
  };
}
