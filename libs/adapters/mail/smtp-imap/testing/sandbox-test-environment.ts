import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OutboundAddressService } from '@platform/outbound';
import { eventually, FaultProxy, mailSandbox } from '@testing';
import { type MailTestEnvironment, type SendFate } from '../../conformance/mail-test-environment';
import {
  asOwner,
  deliver,
  newAddress,
  getPassword,
  renewUidValidity,
  withMessage,
} from '../../imap/testing/sandbox-imap';
import { type FolderRole } from '../../port/folder';
import { type MailSession } from '../../port/session';
import { SmtpImapDriver } from '../smtp-imap.driver';

/** tools/mail-sandbox/misbehaviour.mts defines the sandbox's behaviour for these names. */
const FATES: Record<SendFate, string> = {
  accepted: 'prospect',
  temporary: 'rcpt-450',
  permanent: 'rcpt-550',
  'lost-before': 'drop-at-data',
  'lost-after': 'drop-after-dot-stored',
};

const FOLDERS: Partial<Record<FolderRole, string>> = {
  inbox: 'INBOX',
  junk: 'Junk',
  sent: 'Sent',
  drafts: 'Drafts',
  trash: 'Trash',
  archive: 'Archive',
};

const HOST = 'localhost';

/** A fresh mailbox of the mail sandbox, with a proxy in front of each server. */
export async function openSandboxTestEnvironment(): Promise<MailTestEnvironment> {
  const { smtp, imap, password } = mailSandbox();
  const address = newAddress();
  const proxies = [smtp, imap].map(({ tlsPort }) => new FaultProxy(`tcp://127.0.0.1:${tlsPort}`));
  const [smtpPort = 0, imapPort = 0] = await Promise.all(
    proxies.map(async (proxy) => Number(new URL(await proxy.start()).port)),
  );
  const driver = new SmtpImapDriver({
    guard: new OutboundAddressService({ allowPrivate: true }),
    ehloName: 'platform.sandbox.test',
    allowPlaintext: false,
    ca: readFileSync(mailSandbox().caFile, 'utf8'),
  });
  const sessions: MailSession[] = [];
  const open = (secret: string): MailSession => {
    const login = getPassword(address, secret);
    const session = driver.open({
      kind: 'smtp_imap',
      id: address,
      revision: secret,
      email: address,
      smtp: { host: HOST, port: smtpPort, secure: true, login },
      imap: { host: HOST, port: imapPort, secure: true, login },
    });
    sessions.push(session);
    return session;
  };
  const breakConnections = async () => {
    await Promise.all(proxies.map((proxy) => proxy.cut()));
    await Promise.all(proxies.map((proxy) => proxy.restore()));
  };
  return {
    session: open(password),
    address,
    anotherSession: () => open(password),
    refusedSession: () => open('not the password'),
    recipient: (fate) => `${FATES[fate]}.${randomBytes(6).toString('hex')}@prospects.test`,
    acceptedFor,
    deliver: (raw, role = 'inbox') => deliver(address, raw, folderOf(role)),
    elsewhere: (messageId, act) => elsewhere(address, messageId, act),
    forgetHistory: async () => {
      await breakConnections();
      await forget(address);
    },
    breakConnections,
    close: async () => {
      await Promise.all(sessions.map((session) => session.close()));
      await Promise.all(proxies.map((proxy) => proxy.cut()));
    },
  };
}

async function acceptedFor(recipient: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ to: recipient });
  const answer = await fetch(new URL(`/api/messages?${query.toString()}`, mailSandbox().webUrl));
  const { messages } = (await answer.json()) as { messages: { messageId: string; origin: string }[] };
  return messages.filter(({ origin }) => origin === 'smtp').map(({ messageId }) => messageId);
}

async function elsewhere(
  address: string,
  messageId: string,
  act: 'read' | 'unread' | 'delete' | 'move-to-junk',
): Promise<void> {
  await withMessage(address, messageId, async (client, uid) => {
    const byUid = { uid: true };
    if (act === 'read') await client.messageFlagsAdd(uid, ['\\Seen'], byUid);
    else if (act === 'unread') await client.messageFlagsRemove(uid, ['\\Seen'], byUid);
    else if (act === 'delete') await client.messageDelete(uid, byUid);
    else await client.messageMove(uid, 'Junk', byUid);
  });
}

/** Dovecot keeps the state of a folder while a client uses it: this repeats until the state is reset. */
async function forget(address: string): Promise<void> {
  const before = await validityOf(address);
  await eventually('the server has forgotten the UIDs of the inbox', async () => {
    await renewUidValidity(address);
    return (await validityOf(address)) !== before;
  });
}

async function validityOf(address: string): Promise<bigint> {
  return asOwner(address, async (client) => (await client.mailboxOpen('INBOX')).uidValidity);
}

function folderOf(role: FolderRole): string {
  const folder = FOLDERS[role];
  if (folder === undefined) throw new Error(`The sandbox has no folder for ${role}`);
  return folder;
}
