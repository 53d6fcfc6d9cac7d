export {
  afterDelay,
  closingMoment,
  nextOpening,
  type SendingSchedule,
  type SendingWindow,
  type StepDelay,
  windowAt,
} from './sending-window';
export {
  addDays,
  getDay,
  daysBetween,
  isDay,
  isZone,
  type LocalTime,
  getLocal,
  getMoment,
  startOfDay,
  getWeekday,
} from './zone';
