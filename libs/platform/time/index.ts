export {
  afterDelay,
  closingMoment,
  nextOpening,
  type SendingSchedule,
  type SendingWindow,
  type StepDelay,
  windowAt,
} from './sending.window';
export {
  addDays,
  dayOf,
  daysBetween,
  isDay,
  isZone,
  type LocalTime,
  localOf,
  momentOf,
  startOfDay,
  weekdayOf,
} from './zone';
