import { comparableEmailAddress } from '@platform/validation';
import { MailError } from '../port/mail.errors';
import { type GmailClient } from './gmail.client';
import { type GmailProfile, type GmailSendAs } from './gmail-resources';

/** Requires that the token belongs to the intended mailbox. @throws MailError */
export async function checkIdentity(client: GmailClient, email: string, signal?: AbortSignal): Promise<void> {
  const { emailAddress = '' } = await client.json<GmailProfile>({ method: 'GET', path: 'profile', signal });
  if (isSameMailbox(emailAddress, email) || (await hasAlias(client, email, signal))) return;
  const message = `The authorised Google account is ${emailAddress || 'unknown'}, not ${email}`;
  throw new MailError({ failure: 'needs-human', stage: 'login', message });
}

/** Google ignores dots in consumer addresses, and googlemail.com is gmail.com. */
export function isSameMailbox(a: string, b: string): boolean {
  return toCanonicalAddress(a) === toCanonicalAddress(b);
}

function toCanonicalAddress(address: string): string {
  const lower = comparableEmailAddress(address);
  const [, user = '', domain = ''] = /^([^@]*)@(gmail\.com|googlemail\.com)$/.exec(lower) ?? [];
  return domain === '' ? lower : `${user.replaceAll('.', '')}@gmail.com`;
}

/** Whether the account may send as this address. Without the permission for settings, a token cannot list aliases. */
async function hasAlias(client: GmailClient, email: string, signal?: AbortSignal): Promise<boolean> {
  try {
    const { sendAs = [] } = await client.json<GmailSendAs>({ method: 'GET', path: 'settings/sendAs', signal });
    return sendAs.some(
      ({ sendAsEmail = '', isPrimary, verificationStatus }) =>
        (isPrimary === true || verificationStatus === 'accepted') && isSameMailbox(sendAsEmail, email),
    );
  } catch (error) {
    if (error instanceof MailError && error.lastReply?.code === '403' && error.failure === 'needs-human') return false;
    throw error;
  }
}
