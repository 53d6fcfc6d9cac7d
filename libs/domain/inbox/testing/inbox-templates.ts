import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { CampaignStatusService, CampaignsService, type CreateCampaignRequest } from '@domain/campaigns';
import { UsersService, WorkspacesService } from '@domain/identity';
import { MailboxCreationService, MailboxRecord } from '@domain/mailboxes';
import { type FakeClock } from '@testing';
import { type Model, Types } from 'mongoose';
import { insertLike, stored } from '../../sending/testing';

const STEPS: CreateCampaignRequest['sequence'] = [
  { subject: 'Your roadmap', body: '<p>First</p>' },
  { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days', workingDaysOnly: false } },
];

/** The parts of the fixture that templates use. */
interface TemplateServices {
  readonly clock: FakeClock;
  readonly workspace: WorkspaceScope;
  readonly mailbox: MailboxRecord;
  get<T>(service: abstract new (...args: never[]) => T): T;
  model<T>(record: { name: string }): Model<T>;
}

/** The records of a workspace with a mailbox, created by the services. */
export interface WorkspaceTemplate {
  readonly workspace: { readonly _id: Types.ObjectId };
  readonly mailbox: Pick<MailboxRecord, keyof MailboxRecord>;
}

/** The records of a campaign that the services created, by name, the campaign's own first. */
interface CampaignTemplate {
  readonly of: { readonly workspaceId: string; readonly mailboxId: string; readonly campaignId: string };
  readonly records: readonly (readonly [string, readonly unknown[]])[];
}

/** Creates a workspace with a mailbox by the services. */
export async function createWorkspaceTemplate(
  fixture: Pick<TemplateServices, 'get' | 'model'>,
): Promise<WorkspaceTemplate> {
  const by = systemActor('operator');
  const user = await fixture.get(UsersService).create({ email: 'owner@example.com', name: 'Owner' });
  const { id } = await fixture.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by);
  const _id = new Types.ObjectId();
  await fixture.get(MailboxCreationService).insert(systemScope(id), {
    _id,
    email: 'grace@senders.test',
    provider: 'google',
    connectionType: 'oauth',
    displayName: 'Grace',
    dailySendLimit: 50,
    sendGapSeconds: 0,
    timezone: 'UTC',
  });
  const workspaces = fixture.model<WorkspaceTemplate['workspace']>({ name: 'WorkspaceRecord' });
  const [workspace] = await stored(workspaces, { _id: new Types.ObjectId(id) });
  const [mailbox] = await stored(fixture.model<MailboxRecord>(MailboxRecord), { _id });
  if (!workspace || !mailbox) throw new Error('not created');
  return { workspace, mailbox };
}

/** Active campaigns: created by the services, or copied from the first one with equal time and settings. */
export class CampaignTemplates {
  readonly #templates = new Map<string, CampaignTemplate>();

  constructor(private readonly fixture: TemplateServices) {}

  /** Creates an active campaign and returns its id. */
  async create(settings: Partial<CreateCampaignRequest>): Promise<string> {
    const key = JSON.stringify([this.fixture.clock.now(), settings]);
    const template = this.#templates.get(key);
    if (!template) return this.#createFirst(key, settings);
    const ids = new Map([
      [template.of.workspaceId, new Types.ObjectId(this.fixture.workspace.workspaceId)],
      [template.of.mailboxId, this.fixture.mailbox._id],
    ]);
    for (const [name, records] of template.records) await insertLike(this.fixture.model({ name }), records, ids);
    return String(ids.get(template.of.campaignId));
  }

  async #createFirst(key: string, more: Partial<CreateCampaignRequest>): Promise<string> {
    const { fixture } = this;
    const { workspace, mailbox } = fixture;
    const mailboxId = mailbox._id.toHexString();
    const settings = { name: 'Autumn', mailboxes: [mailboxId], sequence: STEPS, ...more };
    const { _id } = await fixture.get(CampaignsService).create(workspace, settings);
    const transitions = fixture.get(CampaignStatusService);
    await transitions.notify(workspace, await transitions.activate(workspace, _id));
    const campaignId = new Types.ObjectId(_id);
    const records: [string, unknown[]][] = [
      ['CampaignRecord', await stored(fixture.model({ name: 'CampaignRecord' }), { _id: campaignId })],
      ['CampaignSequenceRecord', await stored(fixture.model({ name: 'CampaignSequenceRecord' }), { campaignId })],
      ['CampaignMailboxRecord', await stored(fixture.model({ name: 'CampaignMailboxRecord' }), { campaignId })],
    ];
    this.#templates.set(key, { of: { workspaceId: workspace.workspaceId, mailboxId, campaignId: _id }, records });
    return _id;
  }
}
