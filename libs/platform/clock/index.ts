export { ClockPort } from './clock.port';
export { ClockModule } from './clock.module';
