import { type FailureKind } from '@platform/errors';
import { MailError, type MailStage } from '../port/mail.errors';
import { type NotAccepted } from '../port/send';
import { commandAt } from './smtp-conversation';
import { kindOfRefusal, type Reply, getWords } from './smtp-reply';

/** How a connection came to its end without a reply. */
export type Ending =
  | { readonly how: 'lost'; readonly detail?: string }
  | { readonly how: 'timeout'; readonly afterMs: number }
  /** By us: closed, aborted, or not to be trusted any more. */
  | { readonly how: 'stopped' }
  /** The server said something that ends the connection. */
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

/** The server said no. */
export function refusal(host: string, stage: MailStage, reply: Reply): MailError {
  const words = getWords(reply, commandAt(stage));
  if (reply.code === null || reply.code < 400) {
    const message = `${host} does not speak SMTP as expected at ${DOING[stage]}`;
    return new MailError({ failure: kindOfRefusal(stage, { ...reply, code: null }), stage, message, words });
  }
  const failure = kindOfRefusal(stage, reply);
  if (stage === 'login' && failure === 'temporary') {
    const message = `${host} cannot let the mailbox in at the moment (${reply.code})`;
    return new MailError({ failure, stage, message, words });
  }
  return new MailError({ failure, stage, message: `${host} refused ${DOING[stage]} (${reply.code})`, words });
}

/** The connection ended before an answer came, and nothing that matters was given. */
export function silence(host: string, stage: MailStage, ending: Ending): MailError {
  if (ending.how === 'reply') return refusal(host, ending.stage, ending.reply);
  return new MailError({ failure: 'temporary', stage, message: `${host} ${told(ending, DOING[stage])}` });
}

/** All of the message was given, and nothing readable came back. */
export function unanswered(host: string, ending: Ending): NotAccepted {
  const words = ending.how === 'reply' ? getWords(ending.reply, commandAt('handover')) : null;
  const happened = ending.how === 'reply' ? 'answered something unreadable' : told(ending, 'the answer');
  const message = `${host} was given the message and ${happened}; it may have been sent`;
  return { kind: 'ambiguous', failure: 'ambiguous', stage: 'handover', message, words, retryAfterMs: null };
}

export function fault(failure: FailureKind, stage: MailStage, message: string): MailError {
  return new MailError({ failure, stage, message });
}

/** A failure as `send` gives it back. */
export function notAccepted({ failure, stage, message, words, retryAfterMs }: MailError): NotAccepted {
  return { kind: failure, failure, stage, message, words, retryAfterMs };
}

function told(ending: Exclude<Ending, { how: 'reply' }>, doing: string): string {
  switch (ending.how) {
    case 'lost':
      return `closed the connection at ${doing}${ending.detail ? ` (${ending.detail})` : ''}`;
    case 'timeout':
      return `did not come to an end with ${doing} within ${ending.afterMs} ms`;
    case 'stopped':
      return `was not waited for: the connection was closed at ${doing}`;
  }
}
