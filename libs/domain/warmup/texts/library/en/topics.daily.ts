import { type Topic } from '../vocabulary';

export const daily: readonly Topic[] = [
  {
    name: 'meeting-moved',
    subjects: [
      '[Moving|Shifting] our [meeting|catch-up]',
      'Our [meeting|catch-up] next week',
      '[New time|Another time] for our meeting',
      '[Meeting|Our meeting] about {project}',
    ],
    opening: [
      [
        'Unfortunately [something|a visit] has come up, so I [need|have] to move our [meeting|catch-up] about {project}.',
        'I have to [move|shift|reschedule] our [meeting|catch-up] about {project}, [sorry about that|I am sorry].',
        'My calendar has [changed|been turned upside down], and our [catch-up|meeting] about {project} no longer fits [where it is|the old slot].',
      ],
      [
        'Would {day} next week at {time} [work|be possible|suit you]?',
        'Could we [meet|do it] on {day} next week at {time} instead?',
        'How about {day} next week, [around|at] {time}?',
      ],
      [
        'If [that does not suit you|that is a bad moment], just [suggest another time|send me two or three other times].',
        'We [only need|should only need] [half an hour|thirty minutes|about forty minutes], and the [agenda|list of topics] stays [the same|as it is].',
        'I will [update|change] the [invitation|calendar entry] as soon as I [hear|have heard] from you.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[No problem at all|That is no problem], {day} at {time} [works|is fine|suits me well].',
            '{day} at {time} is [perfect|fine|good] for me[, thanks for letting me know|].',
          ],
          [
            'I have [already blocked the slot|put it into my calendar] and will [bring|prepare] the [latest figures|open points|notes from last time].',
            'Just [send|update] the invitation, and I will [prepare|go through] the open points [by then|beforehand].',
          ],
        ],
        closing: [
          [
            '[Great|Perfect|Wonderful], [thanks|thank you] for being so flexible. I have [just changed|now updated] the invitation, so see you on {day} at {time}.',
            'Thank you, that [helps me a lot|makes it easy]. The [new invitation|updated invitation] is on its way, and I [look forward to|am looking forward to] {day}.',
          ],
        ],
      },
      {
        reply: [
          [
            '{day} is [a bit difficult|rather full|quite packed] for me, I am [in workshops|out with a customer|in other meetings] [all day|most of the day].',
            'I would [like|love] to, but on {day} I am [travelling|on the road|at a training] until the evening.',
          ],
          [
            'Would [the week after|one week later] [at the same time|around the same time] be [possible|an option] for you?',
            'Could we [find a slot|meet] [the week after|one week later] instead? I am [quite flexible|very flexible] then.',
          ],
        ],
        closing: [
          [
            '[Sure|Of course], the week after is [just as good|fine] for me. I will [send you|set up] a new invitation [right away|in a minute].',
            'No problem, then we will [make|do] it one week later. You will [get|receive] the new invitation [today|in a few minutes].',
          ],
        ],
      },
    ],
  },
  {
    name: 'invoice-question',
    subjects: [
      '[Question|Short question|Quick question] about [an|your] invoice',
      '[Invoice|Your invoice] for {project}',
      'Details on the {project} invoice',
    ],
    opening: [
      [
        'I am [just going|currently going] through the paperwork for {project} and have a [short|quick|small] question about your [last|latest] invoice.',
        'Our [accounting team|bookkeeper] asked me about your [last|latest] invoice for {project}.',
        'While [filing|sorting] the documents for {project} I [came across|noticed] [something small|a small thing] on the last invoice.',
      ],
      [
        'The [project number|reference|order number] seems to be missing, and [without it|then] it [cannot be filed properly|ends up in the wrong folder].',
        'It [still shows|still has] our old [address|company name], although we [changed it|moved] [this spring|a while ago].',
        'One [line|item] only says "services", and we would need [a short description|two or three words more] [there|for it].',
      ],
      [
        'Could you [send me|let me have] a corrected version by {day}?',
        'Would you [mind checking|have a look at] that [when you have a moment|sometime this week]?',
        'Could you [look into|check] that, or [tell me|let me know] who [takes care of it|I should ask]?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Thanks|Thank you] for [letting me know|pointing that out], you are [quite|absolutely] right.',
            '[Sorry|Apologies] about that, it [slipped through|got lost] when we [changed the template|set up the new template].',
          ],
          [
            'I have [corrected|changed] it and will send you the new version [today|by tomorrow|this afternoon].',
            'The corrected [version|document] will be with you [tomorrow morning|by the end of the day].',
          ],
        ],
        closing: [
          [
            '[Wonderful|Perfect|Great], [thank you|thanks] for [the quick help|taking care of it so quickly]. As soon as the new version is here I will pass it on to [accounting|our bookkeeper].',
            'Thanks a lot for [sorting that out|your quick reply]. I will [let accounting know|tell the team] that the new version is [coming|on its way].',
          ],
        ],
      },
      {
        reply: [
          [
            'I am not [completely sure|certain] [myself|right now], so I have [passed it on to|asked] our office [team|].',
            'That is [handled|looked after] by our office, so I have [forwarded your note|asked them to check].',
          ],
          [
            'They will [get back to you|write to you directly] [by {day}|this week] with the right [version|details].',
            'You should [hear from them|have an answer] [by {day}|in a day or two].',
          ],
        ],
        closing: [
          [
            'Thank you for passing it on, there is no rush [at all|on our side]. I will [wait for|look out for] the message from your office[ then|].',
            'Great, that is [all I need|perfectly fine]. I will put it [aside|on hold] until your office [has had a look|gets in touch].',
          ],
        ],
      },
    ],
  },
  {
    name: 'lunch',
    subjects: [
      'Lunch on {day}?',
      '[Lunch|A bite to eat] next week?',
      '[Time for|How about] lunch[ together|]?',
      'Lunch in {city}',
    ],
    opening: [
      [
        'It has been [a while|far too long] since we [last had lunch|sat down together].',
        'I will be [near your office|in your area|around the corner from you] next {day} and [thought of you|would love to see you].',
        'A [small|nice little] place has [opened|just opened] [near the station|around the corner from us], and I [want|would like] to try it.',
      ],
      [
        'Would you [like|have time] to [have|go for] lunch on {day} next week?',
        'Do you [already have plans|have plans] for lunch on {day} next week?',
        'How about lunch together on {day} next week, [say around noon|around half past twelve]?',
      ],
      [
        'We could [talk about|go over] {project} [as well|on the side], or just [catch up|have a good chat].',
        'I would [also like|love] to [hear|know] how things are going with {project}.',
        'I am happy to [book|reserve] a table [somewhere quiet|for us], just tell me [what you like|what you prefer].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[What a nice idea|Good idea|I would love to], {day} [works|suits me] [well|very well|perfectly].',
            '[With pleasure|Gladly], I have nothing planned for {day} [yet|around noon].',
          ],
          [
            'Shall we [say|meet at] [half past twelve|a quarter past twelve|noon] [in front of|at] your office?',
            'I eat [everything|almost everything], so [you choose|pick whatever place you like].',
          ],
        ],
        closing: [
          [
            'Lovely, I will [book|reserve] a table for us [and send you the address|right away]. See you on {day}, I am [really |]looking forward to it.',
            '[Great|Wonderful], I will [take care of|see to] the table and pick you up at [reception|the entrance] on {day}.',
          ],
        ],
      },
      {
        reply: [
          [
            '[Thanks for asking|Thank you for thinking of me], but on {day} I am [travelling|out of the office|at a customer’s] [all day|].',
            'I would have [loved|liked] to, but {day} is [already taken|fully booked|full of meetings].',
          ],
          [
            'Could we [make it|do it] [the week after|one week later]? [My calendar is|I am] [much more relaxed|quite empty] then.',
            'How about [a coffee|lunch] the week after? [Almost any|Any] day [would work|is fine] for me.',
          ],
        ],
        closing: [
          [
            'No problem[ at all|], then let us [make it|do] the week after. I will suggest two or three days [at the beginning of the week|in time].',
            '[Sure|Of course], the week after is [just as good|fine with me]. I will [get back to you|write again] [with a date|once I know my plans].',
          ],
        ],
      },
    ],
  },
  {
    name: 'travel',
    subjects: ['[Trip|Travel|Our trip] to {city}', '{city} [next week|on {day}]', '[Travel plans|Planning] for {city}'],
    opening: [
      [
        'I am [just planning|putting together] [the|our] trip to {city} next week.',
        'On {day} next week we are [expected|both due] in {city}, and I [wanted|would like] to [sort out|plan] the journey.',
        'The [visit|appointment] in {city} on {day} next week is [confirmed|fixed] now.',
      ],
      [
        'I would [take|prefer] the train [in the morning|around eight], which [gets us there|arrives] [in good time|well before the meeting].',
        'By train it takes [a little over two hours|about two hours], and we would [still have time|be able] to prepare [on the way|].',
        'I [thought|was thinking] of [going|travelling] the evening before, so that we [can start fresh|have no stress in the morning].',
      ],
      [
        'Shall I [book|reserve] a seat for you [as well|too]?',
        'Would you [like|prefer] to travel together, or are you coming [from somewhere else|on your own]?',
        'Does that [suit|work for] you, or [would you rather|do you prefer to] drive?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Yes, please|That would be great], [let us go|I am happy to travel] together.',
            '[Good plan|Sounds good], [count me in|I will join you].',
          ],
          [
            'A seat [by the window|at a table] would be [lovely|ideal], then we can [go through|discuss] the slides for {project} on the way.',
            'I will bring the [documents|slides] for {project}, so we can [go through them|have a look at them] [on the way|on board].',
          ],
        ],
        closing: [
          [
            '[Great|Perfect], I have [booked|reserved] two seats [next to each other|at a table]. I will [send|forward] you the [details|times] [later today|this evening].',
            'Wonderful, then I will [book|get] seats for both of us. [Let us meet|We can meet] [on the platform|at the main entrance] ten minutes [early|before departure].',
          ],
        ],
      },
      {
        reply: [
          [
            'Thanks for [asking|thinking of me], but I will [come|travel] [by car|directly from home] [this time|].',
            'That is [kind of you|very kind], but I am already [in the area|in {city}] the day before.',
          ],
          [
            'Shall we meet [in the lobby|at the entrance] [half an hour|twenty minutes] earlier and [go through|run through] the [agenda|main points]?',
            'We could [meet|have a coffee] [half an hour|a little] before the start and [go over|discuss] our part [again|once more].',
          ],
        ],
        closing: [
          [
            '[Sure|Good idea], then we meet there half an hour [before the start|earlier]. I will bring a [printed|short] agenda for both of us.',
            'That works [well|fine] for me. I will be there [in good time|a little early] and [look for|find] a quiet corner for us.',
          ],
        ],
      },
    ],
  },
  {
    name: 'weekend-event',
    subjects: [
      '[Next Saturday|Something for Saturday]',
      '[Are you coming|Coming along] to {city}?',
      'Saturday in {city}',
    ],
    opening: [
      [
        'There is [a trade fair|an open day|a small conference] in {city} next Saturday that [could be interesting for|might interest] you.',
        'A few of us are [going|driving] to [the open day|the trade fair] in {city} next Saturday.',
        'Have you [heard about|seen the programme of] the [open day|small fair] in {city} next Saturday?',
      ],
      [
        'There are [some good talks|several short talks] in the morning, and [two of them fit|one of them fits] {project} [really|quite] well.',
        'The programme [looks good|is quite varied], and [many people|a few people] from our field will be there.',
        'Last year it was [very relaxed|a nice mix of talks and people], and I [met|got to know] several [interesting people|old friends] there.',
      ],
      [
        'Would you like to [come along|join us]? We [leave|are leaving] [around nine|at half past eight].',
        'Do you [feel like|fancy] coming? There is still [a seat|room] in [my|our] car.',
        '[Shall I|Should I] [put you on the list|sign you up]? [Family is|Partners are] welcome, too.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[That sounds|This sounds] [great|like a good day], [I would love to come|I am in|count me in].',
            '[Good timing|What a coincidence], I was [just|already] thinking about going[ there|].',
          ],
          [
            'I will [meet you|be] [at the entrance|there] [around ten|at ten], since I am [coming|driving] from the other direction.',
            'If there is [still a seat|a seat left] in the car, I would [gladly|be happy to] take it.',
          ],
        ],
        closing: [
          [
            '[Great|Wonderful], [that makes|then there are] [four|five] of us. I will send [everyone|you all] a short message on Friday with the [times|meeting point].',
            'Very good, I have [put you on the list|noted it]. It will be [fun|a nice day], and we will surely find time for a [coffee|long chat].',
          ],
        ],
      },
      {
        reply: [
          [
            'That sounds [good|nice], but we [have family visiting|are away] [that weekend|on Saturday].',
            '[Unfortunately|Sadly] I [cannot make it|have other plans] on Saturday, [my sister is moving house|we have a birthday in the family].',
          ],
          [
            'Could you bring me [the programme|some leaflets], or [tell me|let me know] [what was interesting|how it was] [afterwards|on Monday]?',
            'I am [curious|interested], though, so [please|do] tell me [about it|how it was] [next week|when you are back].',
          ],
        ],
        closing: [
          [
            '[What a pity|That is a pity], but [I quite understand|of course I understand]. I will [take some notes|keep my eyes open] and [tell you|report] [next week|on Monday].',
            'No problem, [there is always|maybe] next year. I will [collect|bring you] whatever looks [useful|interesting] [for us|for you].',
          ],
        ],
      },
    ],
  },
  {
    name: 'thank-you',
    subjects: [
      '[Thank you|Thanks] [again|once again]',
      '[Thanks|Thank you], that [helped|was very helpful]',
      'A [short|quick] thank you',
    ],
    opening: [
      [
        'I just wanted to [say thank you|thank you] for [your help|the support] with {project}.',
        'Thank you [again|so much] for [the good talk|your time|the visit] in {city}.',
        'That was a [really good|very pleasant|very useful] [meeting|conversation] [about|on] {project}, thank you for [that|your time].',
      ],
      [
        'Your [ideas|suggestions|notes] have [already helped|helped] us [a lot|quite a bit], and the [first|next] draft is [nearly|almost] [ready|done].',
        'The team was [very happy|delighted] with [your input|what you told us], and we are [already working on it|trying it out this week].',
        'I have shared your [notes|thoughts] with [the team|my colleagues], and everyone [found them useful|liked them].',
      ],
      [
        'If I can [ever|] [return the favour|do something for you], [just tell me|you know where to find me].',
        'Let us [stay in touch|keep in touch], perhaps with a [short call|coffee] [next month|in a few weeks].',
        'I will [keep you posted|let you know] how it [goes|turns out].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[You are very welcome|My pleasure], it was [a pleasure|good] to [work|talk] with you all.',
            '[Thank you|Thanks] for the kind [words|message], I was [glad|happy] to help.',
          ],
          [
            'I am [curious|looking forward] to [see|hear about] the [result|next version], so do [keep me posted|send it to me].',
            'I [enjoyed|liked] it as well, so do [tell me|let me know] how it [goes|turns out].',
          ],
        ],
        closing: [
          [
            'I will [gladly|certainly] do that. You will [get|see] the [first|next] version as soon as it is [presentable|ready], and your [honest opinion|opinion] is [always welcome|welcome].',
            'That is [good|nice] to hear. Let us [find|look for] a date for [a coffee|a short call] in [two or three|a few] weeks.',
          ],
        ],
      },
      {
        reply: [
          [
            'Thank you for [getting back to me|your message], that [made my day|is very kind of you].',
            'How [nice|kind] of you to [write|say so], I will [pass it on|tell the others].',
          ],
          [
            'One [more thought|thing] I [forgot|wanted to add]: [start small|keep it simple] and [show it around|ask for opinions] early. I can [send you|look for] our notes on that.',
            'If [you like|it helps], I can [send you|look for] [our checklist|the notes] from [a similar project|last year] [as well|].',
          ],
        ],
        closing: [
          [
            'Thank you, that [will help|helps] us [a lot|]. I will [bring it up|mention it] in our [next|weekly] meeting and [tell you|let you know] what the others [think|say].',
            'Yes, [that would be|this is] [very useful|a great help], [thank you|thanks]. [Take your time|There is no rush], [next week|any day] is [early enough|fine].',
          ],
        ],
      },
    ],
  },
];
