import { CampaignsService, CampaignStatusService, type CreateCampaignRequest } from '@domain/campaigns';
import { MailboxLeaseService } from '@domain/sends';
import { Types } from 'mongoose';
import { insertLike, stored } from './records-like';
import { type SendingRecords } from './sending-records';

const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };
const STEPS: CreateCampaignRequest['sequence'] = [
  { subject: 'Hello', body: '<p>First</p>' },
  { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days', workingDaysOnly: false } },
];

/** A campaign with its records by collection, the campaign's own first. */
interface ActiveCampaign {
  readonly campaignId: string;
  /** Ids of its workspace and its mailboxes. */
  readonly refersTo: readonly string[];
  readonly records: readonly (readonly [string, readonly unknown[]])[];
}

/** Creates active campaigns: the first of a kind by the services, further ones as copies, which take less time. */
export class ActiveCampaigns {
  /** Campaigns that the services created, by time and settings. */
  readonly #campaigns = new Map<string, ActiveCampaign>();

  constructor(private readonly records: SendingRecords) {}

  async create(mailboxes: string[], more: Partial<CreateCampaignRequest>): Promise<string> {
    const kind = JSON.stringify([this.records.clock.now(), mailboxes.length, more]);
    const first = this.#campaigns.get(kind) ?? (await this.#active(mailboxes, more));
    const isFirst = !this.#campaigns.has(kind);
    this.#campaigns.set(kind, first);
    return isFirst ? first.campaignId : await this.#like(first, mailboxes);
  }

  async #active(mailboxes: string[], more: Partial<CreateCampaignRequest>): Promise<ActiveCampaign> {
    const settings = { emailIntervalMinutes: 0, sendingSchedule: ALWAYS, sequence: STEPS, ...more };
    const { _id } = await this.records.get(CampaignsService).create(this.records.workspace, {
      name: 'Autumn',
      mailboxes,
      ...settings,
    });
    const transitions = this.records.get(CampaignStatusService);
    await transitions.notify(this.records.workspace, await transitions.activate(this.records.workspace, _id));
    const campaignId = new Types.ObjectId(_id);
    const records: ActiveCampaign['records'] = [
      ['CampaignRecord', await stored(this.records.model({ name: 'CampaignRecord' }), { _id: campaignId })],
      ['CampaignSequenceRecord', await stored(this.records.model({ name: 'CampaignSequenceRecord' }), { campaignId })],
      ['CampaignMailboxRecord', await stored(this.records.model({ name: 'CampaignMailboxRecord' }), { campaignId })],
    ];
    return { campaignId: _id, refersTo: [this.records.workspaceId, ...mailboxes], records };
  }

  async #like({ campaignId, refersTo, records }: ActiveCampaign, mailboxes: string[]): Promise<string> {
    const now = [this.records.workspaceId, ...mailboxes];
    const ids = new Map(refersTo.map((id, at) => [id, new Types.ObjectId(now[at])]));
    for (const [name, of] of records) await insertLike(this.records.model({ name }), of, ids);
    await this.records.get(MailboxLeaseService).scheduleNow(this.records.workspaceId, mailboxes);
    return String(ids.get(campaignId));
  }
}
