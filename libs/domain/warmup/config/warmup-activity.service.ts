import { type WorkspaceScope } from '@domain/access';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { type Model } from 'mongoose';
import { toWarmupActivity, type WarmupActivityResponse } from '../dto/warmup-activity.dto';
import { type WarmupActivityQuery } from '../dto/warmup-requests.dto';
import { WarmupMailRecord } from '../schemas/warmup-mail.record';

/** Anything that has happened: the index holds nothing else. */
const EVER = { $gt: new Date(0) };

/** What mailboxes have written to each other. */
@Injectable()
export class WarmupActivityService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly pages: PageService,
  ) {}

  /** Newest first, one entry per mail. Of mailboxes of other workspaces no address is told. @throws NOT_FOUND */
  async list(
    workspace: WorkspaceScope,
    mailboxId: string,
    { direction, limit, cursor }: WarmupActivityQuery,
  ): Promise<Page<WarmupActivityResponse>> {
    const { _id } = await this.mailboxes.require(workspace, mailboxId);
    const { workspaceId } = workspace;
    const filter = { workspaceId, mailboxId: _id, at: EVER, ...(direction && { direction }) };
    const page = await this.pages.read(
      this.mails,
      { scope: workspaceId, filter, by: 'at', page: { limit, cursor } },
      (record) => record,
    );
    const ours = page.items.filter(({ counterpart }) => counterpart.workspaceId.toHexString() === workspaceId);
    const addresses = await this.mailboxes.addresses(ours.map(({ counterpart }) => counterpart.mailboxId));
    const items = page.items.map((record) => {
      const { workspaceId: theirs, mailboxId: other } = record.counterpart;
      const address = theirs.toHexString() === workspaceId ? addresses.get(other.toHexString()) : undefined;
      return toWarmupActivity(record, address ?? null);
    });
    return { items, pagination: page.pagination };
  }
}
