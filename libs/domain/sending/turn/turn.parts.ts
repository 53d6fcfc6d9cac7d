import { Injectable } from '@nestjs/common';
import { Aftermath } from './aftermath.service';
import { Claims } from './claim.service';
import { EngineWorlds } from './engine.worlds.service';
import { Handovers } from './handover.service';
import { Outcomes } from './outcome.service';
import { PassingOver } from './passing.over.service';
import { TurnRecovery } from './recovery.service';

/** What a turn is made of. */
@Injectable()
export class TurnParts {
  constructor(
    readonly recovery: TurnRecovery,
    readonly worlds: EngineWorlds,
    readonly claims: Claims,
    readonly handovers: Handovers,
    readonly outcomes: Outcomes,
    readonly aftermath: Aftermath,
    readonly passing: PassingOver,
  ) {}
}
