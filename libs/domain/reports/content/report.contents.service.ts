import { Injectable } from '@nestjs/common';
import { type RenderedReport, type ReportPeriod, type ReportScope } from './report.shape';

// R1: placeholder in the work tree only (never committed) so that the processes boot; R2 replaces this file.
@Injectable()
export class ReportContents {
  render(_scope: ReportScope, _period: ReportPeriod, _reader: { name: string }, _now: Date): Promise<RenderedReport> {
    return Promise.reject(new Error('not here yet'));
  }
}
