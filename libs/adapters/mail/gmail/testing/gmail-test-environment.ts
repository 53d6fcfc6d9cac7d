import { type MailTraits, type MailTestEnvironment, type SendFate } from '../../conformance/mail-test-environment';
import { type FolderRole } from '../../port/folder';
import { MailError } from '../../port/mail.errors';
import { type MailSession } from '../../port/session';
import { GmailDriver } from '../gmail.driver';
import { refusals } from './gmail-refusals';
import { type GmailRequest } from './gmail-routes';
import { type GmailFault, type GmailServer, startGmailServer } from './gmail-server';
import { getHeader, mimeTree } from './mime-tree';

const ADDRESS = 'mailbox@sender.example';
const TOKEN = 'ya29.test';

export const GMAIL_TRAITS: MailTraits = { provesNotSent: true, keepsIdOnMove: true };

const LABELS: Readonly<Record<FolderRole, readonly string[]>> = {
  inbox: ['INBOX', 'UNREAD'],
  promotions: ['INBOX', 'CATEGORY_PROMOTIONS', 'UNREAD'],
  junk: ['SPAM', 'UNREAD'],
  sent: ['SENT'],
  drafts: ['DRAFT'],
  trash: ['TRASH'],
  archive: ['UNREAD'],
  all: ['UNREAD'],
};

const FATES: Readonly<Record<Exclude<SendFate, 'accepted'>, readonly ['drafts.create' | 'drafts.send', GmailFault]>> = {
  temporary: ['drafts.send', { reply: refusals.rateLimit('30') }],
  permanent: ['drafts.send', { reply: refusals.invalid('Invalid To header') }],
  'lost-before': ['drafts.create', { lost: 'reset' }],
  'lost-after': ['drafts.send', { lost: 'reset', after: true }],
};

/** A mailbox of the local Gmail server, for the suite that all drivers pass. */
export async function openGmailTestEnvironment(): Promise<MailTestEnvironment> {
  const server = await startGmailServer();
  const driver = new GmailDriver({ apiUrl: server.url, pollMs: 20 });
  return new GmailTestEnvironment(server, driver);
}

class GmailTestEnvironment implements MailTestEnvironment {
  readonly address = ADDRESS;
  readonly session: MailSession;
  readonly #mailbox;
  #recipients = 0;

  constructor(
    private readonly server: GmailServer,
    private readonly driver: GmailDriver,
  ) {
    this.#mailbox = server.mailbox(ADDRESS, [TOKEN]);
    this.session = this.#open(TOKEN);
  }

  anotherSession(): MailSession {
    return this.#open(TOKEN);
  }

  refusedSession(): MailSession {
    return this.#open('ya29.revoked');
  }

  recipient(fate: SendFate): string {
    const address = `${fate}-${++this.#recipients}@there.example`;
    if (fate !== 'accepted') {
      const [on, fault] = FATES[fate];
      const when = (request: GmailRequest): boolean => recipientOf(request).includes(address);
      this.server.trouble({ on, fault, when, times: fate === 'lost-before' ? 2 : 1 });
    }
    return address;
  }

  async acceptedFor(recipient: string): Promise<readonly string[]> {
    return this.#mailbox.sent.filter(({ to }) => to.includes(recipient)).map(({ messageId }) => messageId);
  }

  async deliver(raw: Buffer, role: FolderRole = 'inbox'): Promise<void> {
    this.#mailbox.deliver(raw, LABELS[role]);
  }

  async elsewhere(messageId: string, act: 'read' | 'unread' | 'delete' | 'move-to-junk'): Promise<void> {
    const message = this.#mailbox.find(messageId);
    if (!message) throw new Error(`The mailbox has no message ${messageId}`);
    if (act === 'delete') this.#mailbox.remove(message.id);
    else if (act === 'read') this.#mailbox.relabel(message.id, [], ['UNREAD']);
    else if (act === 'unread') this.#mailbox.relabel(message.id, ['UNREAD'], []);
    else this.#mailbox.relabel(message.id, ['SPAM'], ['INBOX', 'CATEGORY_PROMOTIONS']);
  }

  async forgetHistory(): Promise<void> {
    this.#mailbox.forgetHistory();
  }

  async breakConnections(): Promise<void> {
    await this.server.breakConnections();
  }

  async close(): Promise<void> {
    await this.session.close();
    await this.driver.close();
    await this.server.close();
  }

  #open(token: string): MailSession {
    const source = async (refused?: string): Promise<string> => {
      if (refused === undefined) return token;
      throw new MailError({ failure: 'needs-human', stage: 'login', message: 'The grant is gone' });
    };
    return this.driver.open({ kind: 'gmail', id: `gmail-${token}`, revision: '1', email: ADDRESS, token: source });
  }
}

/** The recipient of the message in the request, or of the draft that it names. */
function recipientOf({ raw, json, mailbox }: GmailRequest): string {
  const tree = raw ? mimeTree(raw) : mailbox.draft(json['id'] as string).tree;
  return getHeader(tree.headers, 'to');
}
