import { type Topic } from '../vocabulary';

export const work: readonly Topic[] = [
  {
    name: 'document-review',
    subjects: [
      '[Draft|First draft|New draft] for {project}',
      '[Could you have a look|Your opinion] [at|on] the {project} draft?',
      '{project}: [draft|document] for review',
    ],
    opening: [
      [
        'The [first|new|second] draft of the {project} [concept|summary|paper] is [ready|done|finished].',
        'I have [finished|completed|reworked] the [document|summary] for {project} that we [talked about|discussed].',
        'My [version|draft] of the {project} document is [now|finally] in the shared folder.',
      ],
      [
        'Before it goes [out|to the others] I would [like|love] to [hear|have] your opinion, [above all|especially] on the [second|third] section.',
        'A second pair of eyes would [help|be welcome], [mainly|above all] [for the introduction|in the middle part].',
        'I am [not quite|not yet] happy with the [introduction|summary|ending], perhaps you have [an idea|a better idea].',
      ],
      [
        'Would you be able to [look at it|read it] by {day}?',
        'If you [find|have] [half an hour|twenty minutes] before {day}, I would [be grateful|appreciate it].',
        'Comments [in the text|in the margin] are [fine|best], [any time|whenever you like] before {day}.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'I have [just read it|been through it], and it is [clear|well written|easy to follow] [throughout|].',
            '[Nice work|Good work], I [read|went through] it [this morning|over a coffee] and [only have|have just] [a few|some small] remarks.',
          ],
          [
            'In the [second|third] section I would [put|move] the [example|table] first, and the [summary|ending] could be [a little|slightly] shorter.',
            'The introduction could [say|mention] sooner [who it is for|what it is about], [otherwise|apart from that] I would [leave|keep] it [as it is|like that].',
          ],
        ],
        closing: [
          [
            'Thank you, those are [good|helpful] points. I will [work your points in|take your points up] [today|tomorrow] and send the document [round|to the others] on {day}.',
            '[Very helpful|That helps a lot], thanks. I will [change|adjust] that and [then|] [put|place] the [final|clean] version in the folder.',
          ],
        ],
      },
      {
        reply: [
          [
            '[Gladly|Of course], but I will not get [to it|round to it] before {day} [evening|afternoon].',
            'I am [happy|glad] to [read it|have a look], it [will just be|may just be] {day} [evening|afternoon] before I [can|find the time].',
          ],
          [
            'Is that [early enough|still in time] for you? If not, [perhaps|maybe] [someone|one of the others] from the team can [start|begin].',
            'If it is [needed|due] earlier, tell me which [two|three] pages [matter|count] most and I will [read|do] those first.',
          ],
        ],
        closing: [
          [
            '{day} is [early enough|absolutely fine], [take your time|no rush]. The [first|middle] part [matters|counts] most, the rest [hardly changed|you know already].',
            'That is [fine|soon enough], thank you. I will [wait for|collect] your comments and [use|take] the time to [check|redo] the figures.',
          ],
        ],
      },
    ],
  },
  {
    name: 'project-status',
    subjects: [
      '{project}: [where do we stand|status]?',
      '[Status|Update|Short update] on {project}',
      '{project} [before|by] {day}',
    ],
    opening: [
      [
        'For the [meeting|review] on {day} I am [collecting|putting together] the status of {project}.',
        'On {day} we [will talk|are going to talk] about {project} in the [team|weekly] meeting.',
        'I am [writing|updating] the [overview|summary] of {project} [just now|at the moment].',
      ],
      [
        'From our side the [design|layout] is [done|finished], and the tests are [about halfway through|well under way].',
        'We are [mostly|largely] on [schedule|track], only the [translation|documentation] is taking [a little|somewhat] longer.',
        'The [open list|list of open points] has become [much|a lot] shorter, [only|just] [three|four] are left.',
      ],
      [
        'How [are things|is it going] [on your side|with your part]?',
        'Could you [send me|write] two or three sentences about [your part|how far you are]?',
        'Is there anything [that is holding you up|you are waiting for], or that we can help with?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[On our side|Here] everything is [on track|going to plan].',
            '[Good news|All good], we are [slightly|even a little] ahead [of schedule|].',
          ],
          [
            'The [first|second] part is [tested|finished], and the [rest|next one] follows [by {day}|in the course of the week].',
            'We [finished|closed] [two|three] of the bigger [tasks|points] [last week|this week], and nothing [is blocking us|is in the way].',
            'What is missing is [the manual|one approval], and I [expect|should have] that by {day}.',
          ],
        ],
        closing: [
          [
            'That [sounds|is] [very good|great], thank you. I will [put it|copy it] into the overview [like that|as it is] and [send|show] it to you before {day}.',
            '[Perfect|Excellent], [that is all|this is just what] I need. [Please pass on|Do give] my thanks to the [whole |]team.',
          ],
        ],
      },
      {
        reply: [
          [
            'We are [a few days|about two days] behind, [two colleagues|two of us] were [ill|away] [last week|].',
            'It is [moving along|coming along], but [more slowly|slower] than [planned|we thought].',
          ],
          [
            'It would [help|be good] if we could [look at|sort] the [priorities|open list] together [before {day}|this week].',
            'If the [review|approval] could be [one or two days|a little] later, we would [make|manage] it [without stress|properly].',
          ],
        ],
        closing: [
          [
            'Thanks for [being open|telling me early]. We can [move|shift] [that|the dates] [a little|by a few days], I will [call you|ring you] so that we can [sort|go through] the list.',
            'No [problem|worries], [a few|two] days more [do no harm|are fine]. I will [note|mention] it in the overview and [look for|find] a slot for the two of us.',
          ],
        ],
      },
    ],
  },
  {
    name: 'supplier',
    subjects: [
      '[New|Another] supplier for {project}',
      '[Experience|Your experience] with [suppliers|a supplier] in {city}?',
      'Suppliers [in|near] {city}',
    ],
    opening: [
      [
        'We are [looking for|trying to find] a [new|second] supplier for the [printed material|packaging|furniture] of {project}.',
        'Our [printing|packaging] supplier is [closing|giving up] [the branch|the workshop] in {city} at the end of the year.',
        'For {project} we [need|are going to need] a [reliable|good] supplier near {city}.',
      ],
      [
        'You [worked|have worked] with [someone|a company] there [last year|before], if I remember [correctly|rightly].',
        'Somebody [told me|mentioned] that you were [happy|satisfied] with [yours|the one you have].',
        'Quality and [keeping dates|delivery times] matter more to us than [size|a big catalogue].',
      ],
      [
        'Could you [recommend|name] [someone|a company], or [give me|pass on] a contact?',
        'What was your [experience|impression], and [whom|who] should we [talk to|contact] there?',
        'Would you [have|find] ten minutes [on {day}|this week] to [tell me|talk] about it?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Yes, we have [worked|been working] with a [small|family] company [near|just outside] {city} for [three|several] years.',
            'We are [indeed |]very [happy|satisfied] with [ours|the one we use], a [small|family] business near {city}.',
          ],
          [
            'They [keep|stick to] their dates, and when [something|anything] goes wrong there is always [a person|someone] on the phone.',
            'They are [friendly|careful] and [reliable|on time], only [around the holidays|in summer] you [should|have to] order [early|well ahead].',
          ],
          [
            'I will [send you|look up] the [contact|name] [this afternoon|tomorrow].',
            '[Just|You can] [say|mention] that you [know us|come from us].',
          ],
        ],
        closing: [
          [
            'That sounds [exactly|just] like what we [need|are looking for], thank you. I will [call|contact] them [this week|on {day}] and [tell you|let you know] how it went.',
            '[Wonderful|Great], thank you for the [recommendation|tip]. I will [arrange|ask for] a visit and [give them|pass on] your regards.',
          ],
        ],
      },
      {
        reply: [
          [
            'We [no longer work|stopped working] with them, they were [simply|just] too far away for us.',
            'Our [experience|impression] was [mixed|so-so], to be [honest|frank]: [good work|nice results], but [often|usually] a week late.',
          ],
          [
            'I could ask our [warehouse team|colleagues in the warehouse], they [met|talked to] two [others|new ones] [at a fair|last month].',
            'I [can|could] [ask around|ask the others] on {day}, [somebody|someone] [surely|certainly] [knows|has] a better [contact|one].',
          ],
        ],
        closing: [
          [
            'Thanks for the [honest|open] [answer|words], that [saves|spares] us [a lot of|some] trouble. It would be [great|kind] if you could ask [your colleagues|around].',
            'That is [good|useful] to know. I will [wait|hold on] until you [have asked|hear something], we [have|still have] [time|some weeks].',
          ],
        ],
      },
    ],
  },
  {
    name: 'training',
    subjects: [
      '[Training|Workshop] [in {city}|on {day}]',
      '[Places|Two places] in the [training|workshop]',
      '[Would this training|A workshop that could] interest you?',
    ],
    opening: [
      [
        'We are [organising|planning] a [half-day|one-day] [training|workshop] on {day} next week[ in {city}|].',
        'There is a [workshop|course] on [presenting|writing|project planning] in {city} on {day} next week.',
        'Our [team|department] has a [training|workshop] on [facilitation|giving feedback] on {day} next week.',
      ],
      [
        'Two [places|seats] are still [available|open], and I thought of [you|your team].',
        'The trainer is [very good|great], I [was|have been] in one of the courses [last year|before].',
        'It [starts|begins] at {time} and is [quite|very] [practical|hands-on], [without long slides|with many exercises].',
      ],
      [
        'Would [you|you or someone from your team] like to [take part|join]?',
        'Is that [something for you|interesting for you], or [for|perhaps for] [one of your colleagues|someone new]?',
        'Let me know [by tomorrow|in the next few days] if I should [keep|hold] a place [for you|].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Yes, I would [like|love] to [come|join], [please|do] keep a place for me.',
            '[Thank you for thinking of me|How nice of you to ask], [I am in|I will gladly come].',
          ],
          [
            'Do I [need|have] to [prepare|bring] [anything|something], or is a [notebook|pen and paper] enough?',
            'Is there [some material|something] to read [beforehand|in advance], and [where exactly|in which room] does it [take place|start]?',
          ],
        ],
        closing: [
          [
            'You are [on the list|registered], [wonderful|great]. [A notebook is enough|Just bring something to write with], and you will get the [room|directions] [by mail|from me] the day before.',
            'I have [put you down|signed you up], there is nothing to [prepare|read]. The room is [on the second floor|next to the canteen], and [coffee|lunch] is [provided|there].',
          ],
        ],
      },
      {
        reply: [
          [
            'On {day} I [cannot|am not able to] get away [myself|], but a colleague [asked|was asking] [for|about] [exactly that|something like that].',
            'It is [not the right week|a bad week] for me, [yet|but] [someone new|a new colleague] in our team would [surely|really] benefit from it.',
          ],
          [
            'Could you [keep|hold] the place until tomorrow? I will [ask|check] [right away|this afternoon].',
            'May I [pass on|forward] your message, and [would you|could you] keep the place until [then|tomorrow]?',
          ],
        ],
        closing: [
          [
            'Of course, I will [keep|hold] the place [until the day after tomorrow|for two days]. [Just send me|I only need] the name for the list[ then|].',
            '[Sure|Certainly], [go ahead|please do]. [Questions|Any questions] can [come|go] [straight|directly] to me, and the place is [kept|reserved] for now.',
          ],
        ],
      },
    ],
  },
  {
    name: 'onboarding',
    subjects: [
      '[New colleague|Our new colleague] on {project}',
      '[First week|First days] of our new colleague',
      '[Introduction|A short introduction] on {day}',
    ],
    opening: [
      [
        'Next {day} a new colleague [joins|is joining] our team and will [work on|take over a part of] {project}.',
        'We [have filled|were able to fill] the open position: a new colleague [joins|is joining] us next {day}.',
        'Our new colleague for {project} [begins|will begin] next {day}.',
      ],
      [
        'It would be [nice|great] if you could [get to know each other|meet] [early|right at the beginning].',
        'I am [putting together|planning] the [programme|schedule] for the first week and would [like|love] to [include you|have you in it].',
        'You know the [history|beginnings] of the project better than [anyone|most of us].',
      ],
      [
        'Would you have [half an hour|thirty minutes] at {time} for a [short introduction|walk through the project]?',
        'Could you [explain|show] how [your team|your side] works, [perhaps|say] at {time}?',
        'Could you [join us|come by] at {time} and [tell|say] a little about [your team|your part of it]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[With pleasure|Of course], I have [time|half an hour] on {day}.',
            '[Good to hear|How nice] that you found someone, I am [happy|glad] to help.',
          ],
          [
            'I will [show|explain] the [main|most important] [steps|tools] and [leave|allow] [enough|plenty of] time for questions.',
            'There is [a page|a document] with the [most frequent|usual] questions, I will [send it to you|update it] [before that|today].',
          ],
        ],
        closing: [
          [
            'That is [very kind|great], thank you. I will put you down for {day} at {time} and [send|make] the invitation.',
            'Perfect, [thank you|thanks] for [helping|taking the time]. [I will add it to|It goes into] the [plan|programme] for {day}, and I will [bring|take care of] the coffee.',
          ],
        ],
      },
      {
        reply: [
          [
            'I would [like|love] to, but [next week|that week] I am [on the road|away] [most of the time|nearly every day].',
            '[Good idea|That is a good idea], only next week is [quite|very] [full|busy] [here|on my side].',
          ],
          [
            'Could we [do|have] a [short call|video call] instead, or [meet|move it to] the week after?',
            'One of my colleagues [can|could] do the introduction, and I [would join|will join] [in the second week|later].',
          ],
        ],
        closing: [
          [
            '[Sure|Of course], that [works|is possible] [just as well|too]. I will [plan|arrange] it like that and [send|let you have] the new [plan|schedule] [tomorrow|soon].',
            'Good [suggestion|idea], let us do that. [The first days are full anyway|There is a lot to read first anyway], so [a little later|one week later] [suits us|is even better].',
          ],
        ],
      },
    ],
  },
  {
    name: 'tool-question',
    subjects: [
      '[Question|Short question|Quick question] about [the|our] planning tool',
      'How do you [do|handle] [this|that] in the planning tool?',
      '[Help|A little help] with the planning tool',
    ],
    opening: [
      [
        'You [know|are good with] our planning tool, so [perhaps|maybe] you can help me [quickly|].',
        'I am [setting up|preparing] the board for {project} and am [stuck|not getting any further].',
        'Since the [last update|update on {day}] the [overview|calendar view] of {project} looks [different|strange] [on my screen|here].',
      ],
      [
        'When I [move|copy] a task to the next week, the [comments|people] [disappear|are gone].',
        'I [cannot find|am looking for] the [setting|button] that lets [the whole team|everyone] see the [same|shared] list.',
        'The [filter|list] only shows my own [tasks|entries], and those of the [others|team] are [hidden|missing].',
      ],
      [
        'Have you [seen|had] that [before|as well]?',
        'How [do you do|did you solve] that in your team?',
        'Could you [show me|explain] it [in five minutes|briefly] on {day}?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Yes, I [know|remember] that, it [happened to|puzzled] me [as well|too].',
            '[That is easy|No problem], it took me [a while|some time] to find as well.',
          ],
          [
            'Open the [menu|three dots] at the top right, [choose|pick] [view|settings] and [set|switch] it to [team|everyone].',
            'You have to [close|leave] the board once and [open it again|come back], then [choose|select] the [shared|common] view [on the left|].',
          ],
          [
            'If [it still does not work|that does not help], just [call me|give me a ring].',
            'Tell me if it [works|did the trick].',
          ],
        ],
        closing: [
          [
            'That [was it|did the trick], thank you [so much|very much]! I would have [searched|looked] for [another hour|hours], and I will [write it down|note it] for the others.',
            '[Great|Wonderful], now it [works|looks right] [again|]. Thank you for the [quick help|patience], I [owe you a coffee|will remember that].',
          ],
        ],
      },
      {
        reply: [
          [
            'I have not [seen|had] that [yet|so far], [it looks|this looks] like [a change|something] in the last update.',
            'That is [strange|odd], [on my screen|here] it [still looks|is] as [before|always].',
          ],
          [
            'I will [ask|check with] our IT team and [come back to you|let you know] [by {day}|tomorrow].',
            'On {day} I [have|will have] some time, then we can [look at it|try it] together [on the screen|].',
          ],
        ],
        closing: [
          [
            'That would be [kind|great], thank you. [Take your time|There is no rush], until then I will [work|get by] with the [old|simple] list.',
            '[Thanks|Thank you] for [checking|looking into it], I would not have [got any further|solved that] alone. I will [wait|leave it as it is] until then.',
          ],
        ],
      },
    ],
  },
];
