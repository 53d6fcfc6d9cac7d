import { randomBytes } from 'node:crypto';
import { SlackServer } from '../../libs/adapters/chat/testing';
import { completion, ModelServer } from '../../libs/adapters/llm/testing';
import { type GmailServer, startGmailServer } from '../../libs/adapters/mail/testing';
import { OAuthServer, type VendorAccount } from '../../libs/domain/mailboxes/testing';
import { type Platform, type SeededWorkspace } from '../harness';
import { OAuthConsents } from '../mailboxes/oauth';
import { CrmVendors } from '../integrations/crms';
import { newAddress } from '../mailboxes/sandbox';
import { type Bodies, createBodies } from './bodies';

/** The mail servers and vendors that influence the responses of some routes. */
export class Outside {
  /** An incoming webhook. */
  readonly slackWebhook: string;
  /** Input that is valid beyond the definition of the schema. */
  readonly bodies: Bodies;

  private constructor(
    private readonly vendors: OAuthServer,
    private readonly gmail: GmailServer,
    private readonly model: ModelServer,
    private readonly slack: SlackServer,
    private readonly crms: CrmVendors,
  ) {
    this.slackWebhook = slack.webhook();
    this.bodies = createBodies({
      slackWebhook: this.slackWebhook,
      serviceAccountKey: JSON.stringify(vendors.serviceAccount('robot')),
      crmKey: () => this.crmKey(),
      googleAddress: () => this.#atGoogle().account.address,
    });
  }

  static async start(): Promise<Outside> {
    const model = await ModelServer.start();
    model.otherwise = completion(JSON.stringify({ refuse: false, reason: 'none', text: 'Gladly, on Tuesday at ten.' }));
    return new Outside(
      await OAuthServer.start(),
      await startGmailServer(),
      model,
      await SlackServer.start(),
      await CrmVendors.start(),
    );
  }

  /** Settings with which a platform knows them; `createIsolationFixture` needs it. */
  get env(): Record<string, string> {
    const llm = { LLM_BASE_URL: this.model.baseUrl, LLM_API_KEY: 'sk-canary-key', LLM_MODEL: 'test-model' };
    return { ...this.vendors.env, ...this.slack.env, ...this.crms.env, ...llm, GMAIL_API_URL: this.gmail.url };
  }

  /** A key of an account at HubSpot. */
  crmKey(): string {
    const key = `crm-key-${randomBytes(12).toString('hex')}`;
    this.crms.hubspot.tokens.add(key);
    return key;
  }

  /** A Google mailbox of the workspace, with this message. */
  async keeps(
    platform: Platform,
    workspace: SeededWorkspace,
    raw: Buffer,
  ): Promise<{ mailboxId: string; messageId: string; address: string }> {
    const { account, mailbox } = this.#atGoogle();
    const { id } = mailbox.deliver(raw);
    const { session } = await new OAuthConsents(platform, this.vendors, workspace).connect(account);
    return { mailboxId: session.mailboxId ?? '', messageId: id, address: account.address };
  }

  /** A person whose tokens open a mailbox there. */
  #atGoogle(): { account: VendorAccount; mailbox: ReturnType<GmailServer['mailbox']> } {
    const account = this.vendors.account('google', newAddress());
    return { account, mailbox: this.gmail.mailbox(account.address, account.tokens) };
  }

  async close(): Promise<void> {
    await Promise.all([
      this.vendors.close(),
      this.gmail.close(),
      this.model.close(),
      this.slack.close(),
      this.crms.close(),
    ]);
  }
}
