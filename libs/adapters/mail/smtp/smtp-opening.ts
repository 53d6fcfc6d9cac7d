import { type OutboundAddressService } from '@platform/outbound';
import { type Login, type LoginSource, type ServerSettings } from '../port/account';
import { MailError } from '../port/mail.errors';
import { chooseMechanism } from './sasl-exchange';
import { type SmtpReply, SmtpConnection } from './smtp-connection';
import { dial, hostName, noTls, tlsOptions } from './smtp-dial';
import { createMailError, toSmtpRefusal, toNoReplyError } from './smtp-outcomes';
import { type SmtpLimits } from './smtp-limits';

export interface OpeningOptions {
  readonly smtp: ServerSettings & { readonly login: LoginSource };
  readonly ehloName: string;
  readonly guard: OutboundAddressService;
  readonly allowPlaintext: boolean;
  readonly limits: SmtpLimits;
  readonly ca: string | undefined;
}

/**
 * Opens a connection and logs in. A refused access token is renewed once.
 * @param started called with each new connection, so that the caller can end it
 * @throws MailError with the stage and the server's reply
 */
export async function openConnection(
  options: OpeningOptions,
  signal: AbortSignal,
  started: (connection: SmtpConnection) => void,
): Promise<SmtpConnection> {
  const connect = async (refused?: string) => {
    const connection = await greeted(options, signal);
    started(connection);
    const end = () => connection.end({ how: 'stopped' });
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    try {
      await greet(options, connection);
      return await logIn(options, connection, refused);
    } catch (error) {
      connection.end({ how: 'stopped' });
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  };
  const first = await connect();
  if (first instanceof SmtpConnection) return first;
  const second = await connect(first.refusedToken);
  if (second instanceof SmtpConnection) return second;
  throw second.error;
}

/** A token was refused; another one may be accepted. */
interface TokenRefused {
  readonly refusedToken: string;
  readonly error: MailError;
}

async function greeted(options: OpeningOptions, signal: AbortSignal): Promise<SmtpConnection> {
  const { smtp, guard, allowPlaintext, ehloName, limits, ca } = options;
  const tls = tlsOptions(smtp.host, ca);
  const socket = await dial({ server: smtp, guard, timeoutMs: limits.connectMs, tls }, signal);
  const host = hostName(smtp.host);
  return new SmtpConnection(socket, { host, secured: smtp.secure, allowPlaintext, ehloName, tls, limits });
}

async function greet({ smtp, allowPlaintext }: OpeningOptions, connection: SmtpConnection): Promise<void> {
  const heard = await connection.greet();
  if ('reply' in heard) return;
  const { ending, stage } = heard;
  const failed = toNoReplyError(smtp.host, stage, ending);
  if (failed.stage !== 'tls') throw withHint(failed, heard, smtp);
  if (!allowPlaintext && !connection.capabilities.startTls) {
    const message = `${smtp.host} offers no encryption (STARTTLS)`;
    throw new MailError({ failure: 'temporary', stage: 'tls', message, lastReply: failed.lastReply });
  }
  throw ending.how === 'lost' && ending.detail ? noTls(smtp.host, ending.detail) : failed;
}

/** A server that expects TLS stays silent, which is the most frequent configuration fault. */
function withHint(failed: MailError, heard: SmtpReply, { host, port, secure }: ServerSettings): MailError {
  const silent = 'ending' in heard && heard.ending.how === 'timeout' && heard.stage === 'greeting' && !secure;
  if (!silent) return failed;
  const message = `${host} sent nothing on port ${port}; it may expect TLS from the first byte`;
  return createMailError('temporary', 'greeting', message);
}

async function logIn(
  { smtp }: OpeningOptions,
  connection: SmtpConnection,
  refused: string | undefined,
): Promise<SmtpConnection | TokenRefused> {
  const login = await credentials(smtp.login, refused);
  const mechanism = chooseMechanism(login, connection.capabilities);
  if (mechanism === null) {
    const mechanismName =
      login.method === 'xoauth2' ? 'login with XOAUTH2' : 'login with a password (AUTH PLAIN or LOGIN)';
    throw createMailError('needs-human', 'login', `${smtp.host} offers no ${mechanismName}`);
  }
  const heard = await connection.authenticate(login, mechanism);
  if ('ending' in heard) throw toNoReplyError(smtp.host, 'login', heard.ending);
  const { code } = heard.reply;
  if (code !== null && code >= 200 && code < 300) return connection;
  const error = toSmtpRefusal(smtp.host, 'login', heard.reply);
  // The same token again would be refused again.
  if (login.method !== 'xoauth2' || error.failure !== 'needs-human' || login.accessToken === refused) throw error;
  connection.end({ how: 'stopped' });
  return { refusedToken: login.accessToken, error };
}

async function credentials(source: LoginSource, refused: string | undefined): Promise<Login> {
  try {
    return await source(refused);
  } catch (error) {
    // The text of an unknown error is untrusted.
    throw error instanceof MailError
      ? error
      : createMailError('temporary', 'login', 'The credentials of the mailbox could not be read');
  }
}
