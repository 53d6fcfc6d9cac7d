export { ProtectionModule } from './protection.module';
export { BounceProtectionService } from './pause/bounce-protection.service';
export { BounceTallyRepository } from './tally/bounce-tally.repository';
export { getWindowStart } from './tally/bounce-tally';
