import { randomUUID } from 'node:crypto';
import { type MailTestEnvironment } from '../../conformance/mail-test-environment';
import { type FolderRole } from '../../port/folder';
import { type MailSession } from '../../port/session';
import { GraphDriver, type GraphDriverOptions } from '../graph.driver';
import { isWellKnown, WELL_KNOWN } from '../graph-folders';
import { type GraphMailbox } from './graph-mailbox';
import { type GraphServer, type GraphServerOptions, startGraphServer } from './graph-server';

export interface GraphTestEnvironment extends MailTestEnvironment {
  readonly server: GraphServer;
  readonly mailbox: GraphMailbox;
  readonly driver: GraphDriver;
  /** Another session of the mailbox. */
  open(token?: (refused?: string) => Promise<string>): MailSession;
}

const ADDRESS = 'grace@contoso.test';
const TOKEN = 'canary-graph-access-token';

/** A mailbox on a local server that follows Graph's documentation. */
export async function openGraphTestEnvironment(
  driverOptions: Partial<GraphDriverOptions> = {},
  serverOptions: GraphServerOptions = {},
): Promise<GraphTestEnvironment> {
  const server = await startGraphServer(serverOptions);
  const mailbox = server.mailbox(ADDRESS, [TOKEN]);
  const driver = new GraphDriver({ apiUrl: server.url, pollMs: 20, draftSettleMs: 0, ...driverOptions });
  const open = (token: (refused?: string) => Promise<string> = () => Promise.resolve(TOKEN)): MailSession =>
    driver.open({ kind: 'graph', id: 'a', revision: '1', email: ADDRESS, token });
  const session = open();
  return {
    server,
    mailbox,
    driver,
    open,
    session,
    address: ADDRESS,
    anotherSession: () => open(),
    refusedSession: () => open(() => Promise.resolve('a-token-that-is-not-valid')),
    recipient: (fate) => {
      const to = `${randomUUID()}@elsewhere.test`;
      mailbox.fates.set(to, fate);
      return to;
    },
    acceptedFor: (recipient) =>
      Promise.resolve(mailbox.accepted.filter(({ to }) => to === recipient).map(({ messageId }) => messageId)),
    deliver: async (raw, role = 'inbox') => void (await mailbox.store(raw, { folder: folderFor(role) })),
    elsewhere: async (messageId, act) => {
      const message = mailbox.byMessageId(messageId);
      if (act === 'delete') mailbox.remove(message);
      else if (act === 'move-to-junk') mailbox.move(message, 'junkemail');
      else mailbox.update(message, { isRead: act === 'read' });
    },
    forgetHistory: async () => mailbox.forgetHistory(),
    breakConnections: async () => server.breakConnections(),
    close: async () => {
      await session.close();
      await driver.close();
      await server.close();
    },
  };
}

function folderFor(role: FolderRole): string {
  return isWellKnown(role) ? WELL_KNOWN[role] : 'inbox';
}
