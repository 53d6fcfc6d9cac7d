import { type CrmType } from '@adapters/crm';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type CrmConnectionUse, CrmConnectionHookRegistry } from '../connections/crm-connection-hook.registry';
import { CrmPushQueueRepository } from './crm-push-queue.repository';
import { CrmAutomationRecord } from './schemas/crm-automation.record';

/** What is set for a connection ends with it; the lane drops what was still to be told. */
@Injectable()
export class AutomationUsesListener implements CrmConnectionUse, OnModuleInit {
  constructor(
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    private readonly pushes: CrmPushQueueRepository,
    private readonly uses: CrmConnectionHookRegistry,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  async disconnected(
    workspaceId: string,
    crmType: CrmType,
    why: 'refused' | 'switched_off' | 'removed',
  ): Promise<void> {
    if (why !== 'removed') return;
    await this.automations.deleteOne({ workspaceId, crmType });
    await this.pushes.forget(workspaceId, crmType);
  }
}
