import { OutboundAddressService } from '@platform/outbound';
import { type SmtpImapAccount } from '../../port/account';
import { ImapLogin } from '../imap-login';
import { ImapMailbox } from '../imap-mailbox';
import { type ImapOptions } from '../imap-options';

/** A password that must not appear in any output. */
export const CANARY = 'canary-Pa55-4d1c';

/** A mailbox on a local server without encryption. */
export function plainMailbox(
  port: number,
  options: Partial<ImapOptions> = {},
  server: Partial<SmtpImapAccount['imap']> = {},
): ImapMailbox {
  const all: ImapOptions = {
    guard: new OutboundAddressService({ allowPrivate: true }),
    allowPlaintext: true,
    ...options,
  };
  const login = () => Promise.resolve({ method: 'password', user: 'grace', password: CANARY } as const);
  return new ImapMailbox(new ImapLogin(all), { host: '127.0.0.1', port, secure: false, login, ...server }, all);
}
