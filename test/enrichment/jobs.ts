import { EnrichmentWorkPartitionService, ITEM_HANDLERS } from '@domain/enrichment';
import { HookRegistry } from '@platform/hooks';
import { eventually, replaceListeners } from '@testing';
import { ScriptedWork } from '../../libs/domain/enrichment/testing';
import { type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf } from '../workspaces/people';

export interface JobFigures {
  totalItems: number;
  processedItems: number;
  successCount: number;
  failedCount: number;
  creditsUsed: number;
}

export interface Job {
  id: string;
  type: string;
  status: string;
  metadata: JobFigures;
  totalLeads: number;
  createdAt: string;
  updatedAt: string;
  startedAt: string | null;
  completedAt: string | null;
}

export interface Result {
  _id: string;
  email: string;
  leadId: string | null;
  result: string;
  reasons: string[];
  creditsUsed: number;
  detail: Record<string, unknown>;
  checkedAt: string | null;
}

export const PATH = '/v1/enrichment/jobs';

/** A platform whose job processor is defined by the test. */
export class Jobs {
  readonly #restore: (() => void)[] = [];

  private constructor(
    readonly platform: Platform,
    readonly work: ScriptedWork,
  ) {}

  static async start({ worker = true }: { worker?: boolean } = {}): Promise<Jobs> {
    const jobs = new Jobs(await sharedPlatform({ worker }), new ScriptedWork());
    for (const app of [jobs.platform.app, jobs.platform.worker]) {
      const hooks = app?.get(HookRegistry, { strict: false });
      if (hooks) jobs.#restore.push(replaceListeners(hooks, ITEM_HANDLERS, jobs.work.forAllTypes()));
    }
    return jobs;
  }

  /** Runs the sweep of these jobs only. */
  async sweep(): Promise<void> {
    await this.platform.worker?.get(EnrichmentWorkPartitionService, { strict: false }).sweep();
  }

  async close(): Promise<void> {
    // The production behaviour, for the next file.
    for (const restore of this.#restore) restore();
    await this.platform.close();
  }

  post({ key }: Pick<SeededWorkspace, 'key'>, body: object) {
    return this.platform.api.as(key).post(PATH).send(body);
  }

  async create(workspace: Pick<SeededWorkspace, 'key'>, ...emails: string[]): Promise<Job> {
    return dataOf<Job>(await this.post(workspace, { type: 'email_verification', emails }).expect(201));
  }

  get({ key }: Pick<SeededWorkspace, 'key'>, path: string) {
    return this.platform.api.as(key).get(`${PATH}${path}`);
  }

  async read(workspace: Pick<SeededWorkspace, 'key'>, { id }: Pick<Job, 'id'>): Promise<Job> {
    return dataOf<Job>(await this.get(workspace, `/${id}`));
  }

  async results(
    workspace: Pick<SeededWorkspace, 'key'>,
    { id }: Pick<Job, 'id'>,
    query = '?limit=100',
  ): Promise<Result[]> {
    return dataOf<Result[]>(await this.get(workspace, `/${id}/results${query}`));
  }

  /** Waits until a job is over, and reads it. */
  async over(workspace: Pick<SeededWorkspace, 'key'>, { id }: Pick<Job, 'id'>): Promise<Job> {
    let job = await this.read(workspace, { id });
    await eventually(
      'the job is over',
      async () => !['pending', 'processing'].includes((job = await this.read(workspace, { id })).status),
      25_000,
    );
    return job;
  }

  async credits({ key }: Pick<SeededWorkspace, 'key'>): Promise<{ balance: number; reserved: number }> {
    return dataOf(await this.platform.api.as(key).get('/v1/credits/balance'));
  }
}

/** The given number of different addresses. */
export function addresses(count: number, domain = 'example.com'): string[] {
  return Array.from({ length: count }, (_, at) => `person-${String(at).padStart(5, '0')}@${domain}`);
}
