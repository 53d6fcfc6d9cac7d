import { type DeliverReport, ReportDeliveryService } from '@domain/reports';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Sends a report, or resolves one whose outcome is unknown. */
@Injectable()
export class ReportDeliveryProcessor extends JobProcessor<DeliverReport> {
  readonly queue = 'report-delivery' as const;

  constructor(private readonly deliveries: ReportDeliveryService) {
    super();
  }

  async handle(payload: DeliverReport, signal: AbortSignal): Promise<void> {
    await this.deliveries.run(payload, signal);
  }
}
