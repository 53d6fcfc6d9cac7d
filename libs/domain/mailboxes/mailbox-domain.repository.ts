import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { MailboxRecord, type MailboxSetup } from './schemas/mailbox.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;
type Named = Pick<MailboxRecord, '_id' | 'workspaceId' | 'email'>;

/** What the health check found of a domain, as its mailboxes show it. */
export type SetupFound = Omit<MailboxSetup, 'domain'>;

/** The mailboxes of a domain, counted. */
export interface DomainMailboxes {
  readonly mailboxes: number;
  /** How many are in each state of the warmup; a state that none is in is left out. */
  readonly warmupStatuses: Readonly<Record<string, number>>;
  /** Warmup threads that they begin a day: those that grow, and those that have reached their target and keep it up. */
  readonly warmupVolume: number;
}

interface Row {
  readonly _id: { readonly domain: string; readonly status: string };
  readonly mailboxes: number;
  readonly volume: number;
}

/** Mailboxes by the domain of their address, for the health check: it knows domains, and writes what it found of them here. */
@Injectable()
export class MailboxDomainRepository {
  constructor(@InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>) {}

  /** Mailboxes of all workspaces that the health check does not know of yet, at most so many. */
  async listUnassigned(limit: number): Promise<Named[]> {
    return this.mailboxes
      .find({ 'setup.domain': null }, { workspaceId: 1, email: 1 })
      .setOptions({ allWorkspaces: 'the worker looks after the mailboxes of all workspaces' })
      .sort({ 'setup.domain': 1, workspaceId: 1, _id: 1 })
      .limit(limit)
      .lean<Named[]>();
  }

  /** From now on these are looked after as mailboxes of the domain. Joins a running transaction. */
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

  /** Writes to all mailboxes of the domain what was found of it; those that show it already are not touched. */
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

  /** The domain that a mailbox is looked after as; null when the health check does not know of it. Joins a transaction. */
  async findDomain({ workspaceId }: Workspace, mailboxId: string): Promise<string | null> {
    const found = await this.mailboxes
      .findOne({ workspaceId, _id: mailboxId }, { setup: 1 })
      .lean<Pick<MailboxRecord, 'setup'>>();
    return found?.setup.domain ?? null;
  }

  /** Whether the workspace has a mailbox of the domain, besides one of them. Joins a running transaction. */
  async hasMailbox({ workspaceId }: Workspace, domain: string, besides?: string): Promise<boolean> {
    const others = besides === undefined ? {} : { _id: { $ne: besides } };
    return (await this.mailboxes.exists({ workspaceId, 'setup.domain': domain, ...others })) !== null;
  }

  /** The mailboxes of a domain in the order of their ids, so many of them after that one. */
  async listPage({ workspaceId }: Workspace, domain: string, limit: number, after?: Types.ObjectId): Promise<Named[]> {
    const later = after ? { _id: { $gt: after } } : {};
    return this.mailboxes
      .find({ workspaceId, 'setup.domain': domain, ...later }, { workspaceId: 1, email: 1 })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Named[]>();
  }

  /** All mailboxes of the domains, so many at once. */
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

  /** What there is of each of the domains, by name; those without a mailbox are not among them. */
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
