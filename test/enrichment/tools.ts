import { EnrichmentWorkPartitionService } from '@domain/enrichment';
import { eventually } from '@testing';
import { TableServer } from '../../libs/adapters/enrichment/testing';
import { readyCampaign } from '../campaigns/campaigns';
import { type Platform, type SeededWorkspace } from '../harness';
import { Leads } from '../leads/leads';
import { dataOf } from '../workspaces/people';
import { type Job, type Row, type Result } from './tool-responses';

export const TOOL = '/v1/enrichment/tool';

/** Has a placeholder that only the tool can fill. */
const SEQUENCE = [{ subject: 'Hi', body: '<p>{{funding_round}}</p>' }];
const MAPPING = { title: 'jobTitle', 'company.name': 'companyName', funding: 'funding_round' };

/** A workspace with an enrichment tool: a server of the test, whose results the test sends. */
export class ToolFixture {
  private constructor(
    readonly platform: Platform,
    readonly workspace: SeededWorkspace,
    readonly table: TableServer,
    readonly leads: Leads,
  ) {}

  static async make(platform: Platform, settings: object = {}, credits = 50): Promise<ToolFixture> {
    const workspace = await platform.seed.workspace({ credits });
    const { _id } = await readyCampaign(platform, workspace, { sequence: SEQUENCE });
    const leads = new Leads(platform, workspace, _id);
    const fixture = new ToolFixture(platform, workspace, await TableServer.start(), leads);
    await fixture.set(settings).expect(200);
    return fixture;
  }

  get api() {
    return this.platform.api.as(this.workspace.key);
  }

  get settings() {
    return { webhookUrl: this.table.webhookUrl, authToken: this.table.token, mapping: MAPPING };
  }

  set(settings: object = {}) {
    return this.api.put(TOOL).send({ ...this.settings, ...settings });
  }

  /** Creates a job for these addresses. @returns its id */
  async ask(...emails: string[]): Promise<string> {
    return this.#create({ emails });
  }

  /** Creates a job for all leads of the campaign, or for those that a search finds. @returns its id */
  askForLeads(search?: string): Promise<string> {
    return this.#create({ campaignId: this.leads.campaignId, ...(search !== undefined && { filters: { search } }) });
  }

  async #create(source: object): Promise<string> {
    const body = { type: 'person_enrichment', ...source };
    return dataOf<Job>(await this.api.post('/v1/enrichment/jobs').send(body).expect(201)).id;
  }

  /** The rows of the table once it has `count`, in the order of their addresses. */
  async rows(count: number): Promise<Row[]> {
    await eventually(`the table has ${count} rows`, async () => {
      await this.platform.drain();
      if (this.table.rows.length >= count) return true;
      await this.sweep();
      return false;
    });
    return this.table.rows.toSorted((a, b) => String(a['email']).localeCompare(String(b['email'])));
  }

  /** Advances the clock by an hour and runs what is due. */
  async anHourLater(): Promise<void> {
    this.platform.clock.advance(3_600_000);
    await this.sweep();
    await this.platform.drain();
  }

  /** Runs the sweep of these jobs only: the whole ticker costs ten times as much. */
  async sweep(): Promise<void> {
    await this.platform.worker?.get(EnrichmentWorkPartitionService, { strict: false }).sweep();
  }

  /** Sends a result as the tool does. */
  answer(row: Row | undefined, result: unknown, headers: Record<string, string> = {}) {
    return this.#post(pathOf(row), result, headers);
  }

  answerTo(path: string, result: unknown = { title: 'CEO' }) {
    return this.#post(path, result, {});
  }

  #post(path: string, result: unknown, headers: Record<string, string>) {
    const body = typeof result === 'string' ? result : JSON.stringify(result);
    return this.platform.api
      .with({ 'Content-Type': 'application/json', ...headers })
      .post(path)
      .send(body);
  }

  async job(jobId: string): Promise<Job> {
    return dataOf<Job>(await this.api.get(`/v1/enrichment/jobs/${jobId}/details`));
  }

  /** The job once it is over. */
  async over(jobId: string): Promise<Job> {
    let job = await this.job(jobId);
    await eventually('the job is over', async () => {
      await this.platform.drain();
      job = await this.job(jobId);
      if (['completed', 'failed', 'cancelled'].includes(job.status)) return true;
      await this.sweep();
      return false;
    });
    return job;
  }

  /** Results in the order of their addresses. */
  async results(jobId: string): Promise<Result[]> {
    const results = dataOf<Result[]>(await this.api.get(`/v1/enrichment/jobs/${jobId}/results?limit=100`));
    return results.toSorted((a, b) => a.email.localeCompare(b.email));
  }

  async balance(): Promise<number> {
    return dataOf<{ balance: number }>(await this.api.get('/v1/credits/balance')).balance;
  }

  close(): Promise<void> {
    return this.table.close();
  }
}

/** Path of the row’s callback address, without the origin of the platform. */
export function pathOf(row: Row | undefined): string {
  return /\/enrichment\/callback\/.*$/.exec(row?.['callbackUrl'] ?? '')?.[0] ?? '';
}
