export { Clock, SystemClock } from './clock';
export { ClockModule } from './clock.module';
