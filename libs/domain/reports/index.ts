export { ReportsModule } from './reports.module';
export {
  periodBefore,
  REPORT_FREQUENCIES,
  type ReportFrequency,
  type ReportPeriod,
} from './schedule/report.schedule';
