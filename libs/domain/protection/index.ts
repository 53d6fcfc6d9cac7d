export { ProtectionModule } from './protection.module';
export { BounceProtectionJobService } from './pause/bounce-protection-job.service';
export { BounceTallyRepository } from './tally/bounce-tally.repository';
export { getWindowStart } from './tally/bounce-tally';
