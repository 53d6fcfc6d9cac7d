import { type FailureKind } from '@platform/errors';
import { MailError, type MailStage } from '../port/mail.errors';
import { type NotAccepted } from '../port/send';
import { getCommandAt } from './smtp-conversation';
import { getRefusalKind, type Reply, toSmtpServerReply } from './smtp-reply';

/** How a connection ended without a reply. */
export type Ending =
  | { readonly how: 'lost'; readonly detail?: string }
  | { readonly how: 'timeout'; readonly afterMs: number }
  /** By us: closed, aborted, or no longer reliable. */
  | { readonly how: 'stopped' }
  /** The server sent a reply that ends the connection. */
  | { readonly how: 'reply'; readonly stage: MailStage; readonly reply: Reply };

const DOING: Record<MailStage, string> = {
  busy: 'the wait for a connection',
  address: 'the address',
  resolve: 'DNS',
  connect: 'connecting',
  tls: 'the start of encryption',
  greeting: 'the greeting',
  login: 'the login',
  sender: 'the sender (MAIL FROM)',
  recipient: 'the recipient (RCPT TO)',
  data: 'the request to take the message (DATA)',
  handover: 'the message',
  request: 'a request',
};

/** The server refused. */
export function toSmtpRefusal(host: string, stage: MailStage, reply: Reply): MailError {
  const lastReply = toSmtpServerReply(reply, getCommandAt(stage));
  if (reply.code === null || reply.code < 400) {
    const message = `${host} does not speak SMTP as expected at ${DOING[stage]}`;
    return new MailError({ failure: getRefusalKind(stage, { ...reply, code: null }), stage, message, lastReply });
  }
  const failure = getRefusalKind(stage, reply);
  if (stage === 'login' && failure === 'temporary') {
    const message = `${host} temporarily refuses the login (${reply.code})`;
    return new MailError({ failure, stage, message, lastReply });
  }
  return new MailError({ failure, stage, message: `${host} refused ${DOING[stage]} (${reply.code})`, lastReply });
}

/** The connection ended without a reply, before anything relevant was sent. */
export function toNoReplyError(host: string, stage: MailStage, ending: Ending): MailError {
  if (ending.how === 'reply') return toSmtpRefusal(host, ending.stage, ending.reply);
  return new MailError({ failure: 'temporary', stage, message: `${host} ${describeEnding(ending, DOING[stage])}` });
}

/** The complete message was sent, and no readable reply arrived. */
export function toAmbiguousOutcome(host: string, ending: Ending): NotAccepted {
  const lastReply = ending.how === 'reply' ? toSmtpServerReply(ending.reply, getCommandAt('handover')) : null;
  const happened = ending.how === 'reply' ? 'sent an unreadable reply' : describeEnding(ending, 'the answer');
  const message = `${host} received the message and ${happened}; it may have been sent`;
  return { kind: 'ambiguous', failure: 'ambiguous', stage: 'handover', message, lastReply, retryAfterMs: null };
}

export function createMailError(failure: FailureKind, stage: MailStage, message: string): MailError {
  return new MailError({ failure, stage, message });
}

/** A failure as the outcome of `send`. */
export function toNotAccepted({ failure, stage, message, lastReply, retryAfterMs }: MailError): NotAccepted {
  return { kind: failure, failure, stage, message, lastReply, retryAfterMs };
}

function describeEnding(ending: Exclude<Ending, { how: 'reply' }>, doing: string): string {
  switch (ending.how) {
    case 'lost':
      return `closed the connection at ${doing}${ending.detail ? ` (${ending.detail})` : ''}`;
    case 'timeout':
      return `did not complete ${doing} within ${ending.afterMs} ms`;
    case 'stopped':
      return `was aborted: the connection was closed at ${doing}`;
  }
}
