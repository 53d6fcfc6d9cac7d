export { HoldModule } from './hold.module';
export { type Held, Hold } from './hold.service';
