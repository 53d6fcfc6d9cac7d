import { type MailError } from '../port/mail.errors';
import { type ComposedMessage, type NotAccepted, type SendOptions, type SendOutcome } from '../port/send';
import { type SmtpConnection, type Transmitted } from './smtp-connection';
import { getCommandAt } from './smtp-conversation';
import { createMailError, toNotAccepted, toSmtpRefusal, toNoReplyError, toAmbiguousOutcome } from './smtp-outcomes';
import { type Reply, toSmtpServerReply } from './smtp-reply';

export type Attempt =
  | SendOutcome
  /** `beforeHandover` was not called: the same message may be tried on another connection. */
  | { readonly kind: 'not-begun'; readonly outcome: SendOutcome }
  | { readonly kind: 'hook-failed'; readonly error: unknown };

type Verdict = { readonly give: boolean } | { readonly error: unknown };

/** Characters that would break out of a command. `composeMessage` refuses them, but messages may have another source. */
const BREAKS_OUT = /[\s<>\p{Cc}\p{Zl}\p{Zp}]/u;

/** An envelope that cannot be put into commands. */
export function unusable({ envelope: { from, to } }: ComposedMessage): MailError | null {
  if (BREAKS_OUT.test(from)) return createMailError('permanent', 'sender', 'The sender is not an address');
  if (to === '' || BREAKS_OUT.test(to))
    return createMailError('permanent', 'recipient', 'The recipient is not an address');
  return null;
}

/**
 * One attempt to submit a message to a server. Never rejects. The signal applies until `beforeHandover` is called, the deadline until the
 * end.
 */
export async function attemptOn(
  connection: SmtpConnection,
  host: string,
  message: ComposedMessage,
  { beforeHandover, deadline }: SendOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  const beyond = beyondTheServer(connection, host, message);
  if (beyond) return { kind: 'not-begun', outcome: toNotAccepted(beyond) };
  let guard: Promise<Verdict> | null = null;
  let begun = false;
  const giveUp = () => connection.end({ how: 'stopped' });
  const stop = () => {
    if (!begun) giveUp();
  };
  deadline?.addEventListener('abort', giveUp);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const transmitted = await connection.transmit(message, (start) => {
    begun = true;
    guard = getVerdict(beforeHandover).then((verdict) => {
      if ('give' in verdict && verdict.give) start();
      else connection.end({ how: 'stopped' });
      return verdict;
    });
  });
  signal.removeEventListener('abort', stop);
  deadline?.removeEventListener('abort', giveUp);
  const verdict = await (guard as Promise<Verdict> | null);
  if (verdict === null) return { kind: 'not-begun', outcome: toNotAccepted(failureBefore(host, transmitted)) };
  if ('error' in verdict) return { kind: 'hook-failed', error: verdict.error };
  return verdict.give ? toOutcome(host, transmitted, connection) : { kind: 'withheld' };
}

async function getVerdict(beforeHandover: SendOptions['beforeHandover']): Promise<Verdict> {
  try {
    return { give: await beforeHandover({ draftId: null }) };
  } catch (error) {
    return { error };
  }
}

/** Messages that the server would refuse or corrupt. */
function beyondTheServer(
  connection: SmtpConnection,
  host: string,
  { envelope, raw }: ComposedMessage,
): MailError | null {
  const { smtpUtf8, maxSize } = connection.capabilities;
  if (!smtpUtf8) {
    const cannot = `${host} does not take addresses beyond ASCII (SMTPUTF8)`;
    if (beyondAscii(envelope.from)) return createMailError('permanent', 'sender', cannot);
    if (beyondAscii(envelope.to)) return createMailError('permanent', 'recipient', cannot);
  }
  if (maxSize === null || raw.length <= maxSize) return null;
  return createMailError(
    'permanent',
    'sender',
    `${host} accepts messages up to ${maxSize} bytes and this one has ${raw.length}`,
  );
}

function failureBefore(host: string, { heard }: Transmitted): MailError {
  return 'reply' in heard
    ? toSmtpRefusal(host, heard.stage, heard.reply)
    : toNoReplyError(host, heard.stage, heard.ending);
}

/** The outcome of a handover. */
function toOutcome(host: string, { heard, complete }: Transmitted, connection: SmtpConnection): SendOutcome {
  const reply = replyIn(heard);
  const digit = Math.floor((reply?.code ?? 0) / 100);
  if (reply !== null && (digit === 4 || digit === 5)) return toNotAccepted(toSmtpRefusal(host, 'handover', reply));
  if (!complete) return toNotAccepted(incomplete(host, { heard, complete }));
  if (reply !== null && digit === 2) {
    const lastReply = toSmtpServerReply(reply, getCommandAt('handover'));
    return { kind: 'accepted', lastReply, providerMessageId: null, providerThreadId: null };
  }
  // Replies no longer match commands, so this connection cannot be used again.
  connection.end({ how: 'stopped' });
  return ambiguous(host, heard);
}

function ambiguous(host: string, heard: Transmitted['heard']): NotAccepted {
  return toAmbiguousOutcome(host, 'reply' in heard ? { how: 'reply', ...heard } : heard.ending);
}

function incomplete(host: string, { heard }: Transmitted): MailError {
  if ('ending' in heard) return toNoReplyError(host, 'handover', heard.ending);
  return createMailError('temporary', 'handover', `${host} answered before the message was complete`);
}

function replyIn(heard: Transmitted['heard']): Reply | null {
  if ('reply' in heard) return heard.reply;
  return heard.ending.how === 'reply' ? heard.ending.reply : null;
}

function beyondAscii(address: string): boolean {
  return !/^\p{ASCII}*$/u.test(address);
}
