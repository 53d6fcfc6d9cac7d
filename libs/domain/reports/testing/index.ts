export { printed } from '../content/press/report.print';
export { MAX_PENDING, type ReportPress } from '../content/press/report.press.service';
export { type ReportFacts } from '../content/report.facts';
export { busyWeek, hostileWeek, quietWeek } from '../content/testing/facts';
