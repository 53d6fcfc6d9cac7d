import { MailModule } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { CampaignsService } from '@domain/campaigns';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule } from '@platform/queues';
import { type TestDatabase, openTestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { type ImportLeadsQuery, type LeadImportResponse } from '../import/dto/lead-import.dto';
import { LeadImportJobService } from '../import/lead-import-job.service';
import { LeadImportsModule } from '../import/lead-imports.module';
import { LeadImportsService } from '../import/lead-imports.service';

/** A campaign that receives imported leads. */
export interface ImportedCampaign {
  workspace: WorkspaceScope;
  campaignId: string;
}

/** The imports on a database of their own, without a worker: tests run the jobs. */
export class ImportsFixture {
  #serial = 0;

  private constructor(readonly database: TestDatabase) {}

  static async open(overrides: Record<string, string> = {}): Promise<ImportsFixture> {
    const imports = [QueuesModule, OutboundModule, MailModule, UsersModule, LeadImportsModule];
    return new ImportsFixture(await openTestDatabase({ imports }, overrides));
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  async campaign(): Promise<ImportedCampaign> {
    this.#serial += 1;
    const owner = { email: `owner-${this.#serial}@example.com`, name: 'Owner' };
    const user = await this.get(UsersService).create(owner);
    const by = systemActor('operator');
    const { id } = await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by);
    const workspace = systemScope(id);
    const { _id } = await this.get(CampaignsService).create(workspace, { name: 'Autumn' });
    return { workspace, campaignId: _id };
  }

  /** Uploads a file in pieces of `size` bytes. */
  upload(
    { workspace, campaignId }: ImportedCampaign,
    file: string | Buffer,
    query: ImportLeadsQuery = {},
    size = 64 * 1024,
  ): Promise<LeadImportResponse> {
    return this.get(LeadImportsService).receive(workspace, campaignId, query, pieces(Buffer.from(file), size));
  }

  /** Runs the job once. */
  run({ workspace }: ImportedCampaign, importId: string, signal = new AbortController().signal): Promise<void> {
    return this.get(LeadImportJobService).run({ workspaceId: workspace.workspaceId, partitionId: importId }, signal);
  }

  read({ workspace, campaignId }: ImportedCampaign, importId: string): Promise<LeadImportResponse> {
    return this.get(LeadImportsService).get(workspace, campaignId, importId);
  }

  async refused({ workspace, campaignId }: ImportedCampaign, importId: string): Promise<string> {
    const stream = await this.get(LeadImportsService).refused(workspace, campaignId, importId);
    return (await stream.toArray()).join('');
  }
}

async function* pieces(file: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}
