import { type DeliverReport, ReportDeliveryService } from '@domain/reports';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Sends a report, or resolves one with an unknown outcome. */
@Processor('report-delivery', getWorkerOptions('report-delivery'))
export class ReportDeliveryProcessor extends JobProcessor<DeliverReport> {
  constructor(private readonly deliveries: ReportDeliveryService) {
    super();
  }

  async handle(payload: DeliverReport, signal: AbortSignal): Promise<void> {
    await this.deliveries.run(payload, signal);
  }
}
