import { isCrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type CrmActivityQuery, type CrmActivityResponse, toCrmActivity } from './dto/crm-activity.dto';
import { CrmActivityRecord } from './schemas/crm-activity.record';

/** Activities as people see them. */
@Injectable()
export class CrmActivitiesService {
  constructor(
    @InjectModel(CrmActivityRecord.name) private readonly activities: Model<CrmActivityRecord>,
    private readonly pages: PageService,
  ) {}

  /** Newest first; those of the last 30 days. @throws NOT_FOUND for what is no CRM */
  async list(
    { workspaceId }: WorkspaceScope,
    type: string,
    { state, limit, cursor }: CrmActivityQuery,
  ): Promise<Page<CrmActivityResponse>> {
    if (!isCrmType(type)) throw notFound('Integration');
    const filter = { workspaceId, crmType: type, ...(state && { state }) };
    return this.pages.read(this.activities, { scope: workspaceId, filter, page: { limit, cursor } }, toCrmActivity);
  }
}
