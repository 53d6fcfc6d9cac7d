import { type WorkspaceScope } from '@domain/access';
import { MailboxRepository, type MailboxResponse, MailboxesService } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { type PageQuery } from '@platform/validation';
import { type Model, Types } from 'mongoose';
import { type HealthEntryResponse, toHealthEntry } from '../dto/health-entry.dto';
import { type HealthReportResponse, toHealthReport } from '../dto/health-report.dto';
import { type CheckMailboxHealthRequest } from '../dto/health-requests.dto';
import { type MailboxHealthResponse, toMailboxHealth } from '../dto/mailbox-health.dto';
import { HealthEntryRecord } from '../schemas/health-entry.record';
import { DkimSelectorsService } from './dkim-selectors.service';
import { DomainEnrolmentService } from './domain-enrolment.service';
import { DomainHealthService } from './domain-health.service';
import { getDomain } from './sending-domain';

/** Health of mailboxes for the API. Every method throws NOT_FOUND for a mailbox of another workspace. */
@Injectable()
export class MailboxHealthService {
  constructor(
    @InjectModel(HealthEntryRecord.name) private readonly entries: Model<HealthEntryRecord>,
    private readonly mailboxes: MailboxesService,
    private readonly facts: MailboxRepository,
    private readonly enrolment: DomainEnrolmentService,
    private readonly domainHealth: DomainHealthService,
    private readonly selectors: DkimSelectorsService,
    private readonly pages: PageService,
  ) {}

  /** Returns statuses of the last check, and delivery figures. */
  async get(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxHealthResponse> {
    const mailbox = await this.mailboxes.get(workspace, mailboxId);
    const [[facts], health] = await Promise.all([
      this.facts.listAll(new Types.ObjectId(workspace.workspaceId), [new Types.ObjectId(mailbox._id)]),
      this.enrolment.find(workspace, mailbox.email),
    ]);
    return toMailboxHealth(mailbox, facts?.connection.failures ?? 0, health);
  }

  /** Returns the full report of the last check. */
  async getReport(workspace: WorkspaceScope, mailboxId: string): Promise<HealthReportResponse> {
    const mailbox = await this.mailboxes.get(workspace, mailboxId);
    return toHealthReport(mailbox, getDomain(mailbox.email), await this.enrolment.find(workspace, mailbox.email));
  }

  /** Lists the health of its domain over 90 days, latest first: an entry per change, and one a day. */
  async listHistory(
    workspace: WorkspaceScope,
    mailboxId: string,
    { limit, cursor }: PageQuery,
  ): Promise<Page<HealthEntryResponse>> {
    const { email } = await this.mailboxes.get(workspace, mailboxId);
    const { workspaceId } = workspace;
    const filter = { workspaceId, domain: getDomain(email) };
    return this.pages.read(this.entries, { scope: workspaceId, filter, page: { limit, cursor } }, toHealthEntry);
  }

  /** Checks its domain now; returns a result of the last ten seconds instead. */
  async check(
    workspace: WorkspaceScope,
    mailboxId: string,
    { dkimSelector }: CheckMailboxHealthRequest,
  ): Promise<HealthReportResponse> {
    const mailbox = await this.mailboxes.get(workspace, mailboxId);
    const health = await this.enrolment.findOrEnrol(workspace, toMailbox(mailbox));
    const force =
      dkimSelector !== undefined && (await this.selectors.setSelector(workspace, mailbox._id, health, dkimSelector));
    const checked = await this.domainHealth.examineNow(health, { force });
    return toHealthReport(mailbox, getDomain(mailbox.email), checked);
  }
}

function toMailbox({ _id, email }: MailboxResponse): { _id: Types.ObjectId; email: string } {
  return { _id: new Types.ObjectId(_id), email };
}
