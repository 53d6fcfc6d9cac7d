import { type WorkspaceScope } from '@domain/access';
import { MailboxRepository, type MailboxResponse, MailboxesService } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { type PageQuery } from '@platform/validation';
import { type Model, Types } from 'mongoose';
import { type HealthEntryResponse, toHealthEntry } from '../dto/health-entry.dto';
import { type CheckMailboxHealthRequest } from '../dto/health-requests.dto';
import { type HealthReportResponse, toHealthReport } from '../dto/health-report.dto';
import { type MailboxHealthResponse, toMailboxHealth } from '../dto/mailbox-health.dto';
import { HealthEntryRecord } from '../schemas/health-entry.record';
import { DkimSelectorsService } from './dkim-selectors.service';
import { DomainEnrolmentService } from './domain-enrolment.service';
import { HealthExaminationsService } from './health-examinations.service';
import { getDomain } from './sending-domain';

/** How mailboxes stand, as their users see it. Every method throws NOT_FOUND for a mailbox that is not the workspace's. */
@Injectable()
export class MailboxHealthService {
  constructor(
    @InjectModel(HealthEntryRecord.name) private readonly entries: Model<HealthEntryRecord>,
    private readonly mailboxes: MailboxesService,
    private readonly atWork: MailboxRepository,
    private readonly enrolment: DomainEnrolmentService,
    private readonly examinations: HealthExaminationsService,
    private readonly selectors: DkimSelectorsService,
    private readonly pages: PageService,
  ) {}

  /** What the last check found, and how sending goes. */
  async get(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxHealthResponse> {
    const mailbox = await this.mailboxes.get(workspace, mailboxId);
    const [[facts], health] = await Promise.all([
      this.atWork.listAll(new Types.ObjectId(workspace.workspaceId), [new Types.ObjectId(mailbox._id)]),
      this.enrolment.find(workspace, mailbox.email),
    ]);
    return toMailboxHealth(mailbox, facts?.connection.failures ?? 0, health);
  }

  /** All that the last check found. */
  async report(workspace: WorkspaceScope, mailboxId: string): Promise<HealthReportResponse> {
    const mailbox = await this.mailboxes.get(workspace, mailboxId);
    return toHealthReport(mailbox, getDomain(mailbox.email), await this.enrolment.find(workspace, mailbox.email));
  }

  /** How its domain stood in the last 90 days, the latest first: an entry for each change, and one a day. */
  async history(
    workspace: WorkspaceScope,
    mailboxId: string,
    { limit, cursor }: PageQuery,
  ): Promise<Page<HealthEntryResponse>> {
    const { email } = await this.mailboxes.get(workspace, mailboxId);
    const { workspaceId } = workspace;
    const filter = { workspaceId, domain: getDomain(email) };
    return this.pages.read(this.entries, { scope: workspaceId, filter, page: { limit, cursor } }, toHealthEntry);
  }

  /** Checks its domain now; what was found within the last ten seconds is answered as it is. */
  async check(
    workspace: WorkspaceScope,
    mailboxId: string,
    { dkimSelector }: CheckMailboxHealthRequest,
  ): Promise<HealthReportResponse> {
    const mailbox = await this.mailboxes.get(workspace, mailboxId);
    const health = await this.enrolment.of(workspace, named(mailbox));
    const anew =
      dkimSelector !== undefined && (await this.selectors.give(workspace, mailbox._id, health, dkimSelector));
    const checked = await this.examinations.onDemand(health, { anew });
    return toHealthReport(mailbox, getDomain(mailbox.email), checked);
  }
}

function named({ _id, email }: MailboxResponse): { _id: Types.ObjectId; email: string } {
  return { _id: new Types.ObjectId(_id), email };
}
