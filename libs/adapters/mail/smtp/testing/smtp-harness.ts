import { OutboundAddressService } from '@platform/outbound';
import { type Login } from '../../port/account';
import { type ComposedMessage } from '../../port/send';
import { type SmtpLimits } from '../smtp-limits';
import { SmtpSender, type SmtpSenderSettings } from '../smtp-sender';
import { MAIL_CA, ScriptedSmtp, type SmtpScript } from './scripted-smtp';

/** A secret that must not appear in any output. */
export const CANARY = 'canary-Pa55word-7f3e91-wings';

const opened: { close(): Promise<void> }[] = [];

/** Closes the resources of a test. */
export async function closeAll(): Promise<void> {
  for (const thing of opened.splice(0).toReversed()) await thing.close();
}

export async function server(script: SmtpScript): Promise<ScriptedSmtp> {
  const started = await ScriptedSmtp.start(script);
  opened.push(started);
  return started;
}

export interface SenderOptions extends Partial<Omit<SmtpSenderSettings, 'smtp' | 'limits'>> {
  readonly host?: string;
  readonly secure?: boolean;
  /** Plain text is allowed. */
  readonly plain?: boolean;
  readonly method?: Login['method'];
  readonly login?: (refused?: string) => Promise<Login>;
  readonly limits?: Partial<SmtpLimits>;
}

/** A sender whose host name resolves to the local server. */
export function sender(smtp: ScriptedSmtp | { port: number }, options: SenderOptions = {}): SmtpSender {
  const { host = 'mail.test', plain = false, method = 'password', limits, ...rest } = options;
  const secure = options.secure ?? (smtp instanceof ScriptedSmtp && smtp.secure);
  const login = options.login ?? (() => Promise.resolve(loginBy(method)));
  const made = new SmtpSender({
    ehloName: 'worker.sender.test',
    guard: new OutboundAddressService({ allowPrivate: true, lookup: () => Promise.resolve(['127.0.0.1']) }),
    allowPlaintext: plain,
    ca: MAIL_CA,
    ...rest,
    limits: { connectMs: 5_000, greetingMs: 5_000, commandMs: 5_000, quitMs: 20, ...limits },
    smtp: { host, port: smtp.port, secure, login },
  });
  opened.push(made);
  return made;
}

export function loginBy(method: Login['method'], secret = CANARY): Login {
  return method === 'password'
    ? { method, user: 'ada', password: secret }
    : { method, user: 'ada', accessToken: secret };
}

export const yes = () => Promise.resolve(true);

let made = 0;

/** A message of about so many bytes, with dots at critical positions. */
export function messageTo(to: string, size = 100): ComposedMessage {
  const messageId = `<${++made}@sender.test>`;
  const line = '..dots at the start, and more of the same text to fill it up\r\n.\r\n';
  const body = line.repeat(Math.ceil(size / line.length));
  const raw = Buffer.from(`To: <${to}>\r\nSubject: Hello\r\nMessage-ID: ${messageId}\r\n\r\n${body}`);
  return { envelope: { from: 'ada@sender.test', to }, messageId, raw };
}

export const PIPELINED = ['PIPELINING', 'AUTH PLAIN'];
export const ONE_BY_ONE = ['AUTH PLAIN'];

/** Sends one message of about so many bytes through a server with this script. */
export async function sendThrough(script: SmtpScript, options: SenderOptions = {}, size = 100) {
  const smtp = await server(script);
  let asked = 0;
  const outcome = await sender(smtp, options).send(messageTo('bob@example.com', size), {
    beforeHandover: () => Promise.resolve(++asked > 0),
  });
  return { smtp, outcome, asked };
}
