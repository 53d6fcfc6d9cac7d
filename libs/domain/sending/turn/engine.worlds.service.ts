import { SequencesService } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { Quotas } from '../quota/quotas.service';
import { type TurnMailbox, TurnMemory } from './engine.world';
import { TurnReads } from './group/turn.reads.service';
import { LeadDesk } from './lead.desk.service';
import { PostponedLeads } from './postponed.leads.service';
import { Rotation } from './rotation.service';
import { StoredWorld, type WorldSources } from './stored.world';

/** Opens the database as a turn sees it. */
@Injectable()
export class EngineWorlds implements WorldSources {
  constructor(
    readonly campaigns: TurnReads,
    readonly sequences: SequencesService,
    readonly desk: LeadDesk,
    readonly postponed: PostponedLeads,
    readonly rotation: Rotation,
    readonly quotas: Quotas,
  ) {}

  open(mailbox: TurnMailbox, now: Date, memory = new TurnMemory(now)): StoredWorld {
    return new StoredWorld(this, mailbox, now, memory);
  }
}
