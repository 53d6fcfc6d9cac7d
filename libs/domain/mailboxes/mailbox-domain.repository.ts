import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { MailboxRecord, type MailboxSetup } from './schemas/mailbox.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;
type Named = Pick<MailboxRecord, '_id' | 'workspaceId' | 'email'>;

/** The DNS findings of a domain, as its mailboxes show them. */
export type SetupFound = Omit<MailboxSetup, 'domain'>;

/** Counts of the mailboxes of a domain. */
export interface DomainMailboxes {
  readonly mailboxes: number;
  /** Mailboxes in each warmup state; empty states are left out. */
  readonly warmupStatuses: Readonly<Record<string, number>>;
  /** Warmup threads that they start per day, in growth and at their target. */
  readonly warmupVolume: number;
}

interface Row {
  readonly _id: { readonly domain: string; readonly status: string };
  readonly mailboxes: number;
  readonly volume: number;
}

/** Mailboxes by the domain of their address. The health check works by domain and writes its findings here. */
@Injectable()
export class MailboxDomainRepository {
  constructor(@InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>) {}

  /** Lists mailboxes of all workspaces without an assigned domain. */
  async listUnassigned(limit: number): Promise<Named[]> {
    return this.mailboxes
      .find({ 'setup.domain': null }, { workspaceId: 1, email: 1 })
      .setOptions({ allWorkspaces: 'the worker assigns the mailboxes of all workspaces' })
      .sort({ 'setup.domain': 1, workspaceId: 1, _id: 1 })
      .limit(limit)
      .lean<Named[]>();
  }

  /** Assigns the mailboxes to the domain. Joins a running transaction. */
  async assign(
    { workspaceId }: Workspace,
    mailboxIds: readonly Types.ObjectId[],
    domain: string,
    found: SetupFound,
  ): Promise<void> {
    await this.mailboxes.updateMany(
      { workspaceId, _id: { $in: [...mailboxIds] } },
      { $set: { setup: { domain, ...found } } },
      { timestamps: false },
    );
  }

  /** Writes the findings to all mailboxes of the domain that show other ones. */
  async writeFindings({ workspaceId }: Workspace, domain: string, found: SetupFound): Promise<void> {
    const differing = Object.entries(found).map(([field, value]) => ({
      [`setup.${field}`]: { $ne: value },
    }));
    await this.mailboxes.updateMany(
      { workspaceId, 'setup.domain': domain, $or: differing },
      { $set: { setup: { domain, ...found } } },
      { timestamps: false },
    );
  }

  /** The assigned domain of a mailbox; null before the assignment. Joins a running transaction. */
  async findDomain({ workspaceId }: Workspace, mailboxId: string): Promise<string | null> {
    const found = await this.mailboxes
      .findOne({ workspaceId, _id: mailboxId }, { setup: 1 })
      .lean<Pick<MailboxRecord, 'setup'>>();
    return found?.setup.domain ?? null;
  }

  /** Whether the workspace has a mailbox of the domain, except `besides`. Joins a running transaction. */
  async hasMailbox({ workspaceId }: Workspace, domain: string, besides?: string): Promise<boolean> {
    const others = besides === undefined ? {} : { _id: { $ne: besides } };
    return (await this.mailboxes.exists({ workspaceId, 'setup.domain': domain, ...others })) !== null;
  }

  /** Lists mailboxes of a domain by id, after the given one. */
  async listPage({ workspaceId }: Workspace, domain: string, limit: number, after?: Types.ObjectId): Promise<Named[]> {
    const later = after ? { _id: { $gt: after } } : {};
    return this.mailboxes
      .find({ workspaceId, 'setup.domain': domain, ...later }, { workspaceId: 1, email: 1 })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Named[]>();
  }

  /** Reads all mailboxes of the domains, `limit` per batch. */
  async *batches(
    { workspaceId }: Workspace,
    domains: readonly string[],
    limit: number,
  ): AsyncGenerator<{ _id: Types.ObjectId; domain: string }[]> {
    const found = this.mailboxes
      .find({ workspaceId, 'setup.domain': { $in: [...domains] } }, { 'setup.domain': 1 })
      .lean<Pick<MailboxRecord, '_id' | 'setup'>[]>()
      .cursor({ batchSize: limit });
    let batch: { _id: Types.ObjectId; domain: string }[] = [];
    for await (const { _id, setup } of found as AsyncIterable<Pick<MailboxRecord, '_id' | 'setup'>>) {
      batch.push({ _id, domain: setup.domain ?? '' });
      if (batch.length < limit) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  /** Counts by domain name; domains without a mailbox are left out. */
  async countByDomain({ workspaceId }: Workspace, domains: readonly string[]): Promise<Map<string, DomainMailboxes>> {
    const rows = await this.mailboxes.aggregate<Row>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), 'setup.domain': { $in: [...domains] } } },
      {
        $group: {
          _id: { domain: '$setup.domain', status: '$warmup.status' },
          mailboxes: { $sum: 1 },
          volume: { $sum: { $cond: ['$warmup.enabled', '$warmup.currentVolume', 0] } },
        },
      },
      { $sort: { _id: 1 } },
    ]);
    const byDomain = Map.groupBy(rows, ({ _id: { domain } }) => domain);
    return new Map([...byDomain].map(([domain, own]) => [domain, sumRows(own)]));
  }
}

function sumRows(rows: readonly Row[]): DomainMailboxes {
  return {
    mailboxes: rows.reduce((sum, { mailboxes }) => sum + mailboxes, 0),
    warmupStatuses: Object.fromEntries(rows.map(({ _id: { status }, mailboxes }) => [status, mailboxes])),
    warmupVolume: rows.reduce((sum, { volume }) => sum + volume, 0),
  };
}
