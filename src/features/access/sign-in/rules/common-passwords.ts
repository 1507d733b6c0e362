/** Words that passwords are made of most often, in English and German, without the digits and signs people put around them. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw2 2wsx3edc 3edc4rfv 123qweasd 123qweasdzxc 12qwaszx 1234qwer asdf1234 asdfjkloe a1b2c3d4
a1b2c3d4e5 aa123456 abc12345 abcd1234 abcd12345 abcde12345 access accessdenied account admin adminadmin administrator adminpassword
adidas airplane aleksandra alexander alexandra amanda america americano anderson andrea angela angelina anthony apollo13 arsenal
asdfasdf asdfghjkl asdfqwer ashley assassin austria autobahn babygirl bailey barcelona baseball basketball batman baumhaus bayern
bayernmuenchen beautiful benjamin berlin bienvenue bigdaddy birthday blahblah blessed blink182 blumenwiese borussia brandon bremen
brooklyn bubbles butterfly buttercup carolina caroline cartoons challenge champion changeit changeme changethis charlie charlotte
cheesecake chelsea chester chicago chocolate christian christina christine christmas christopher cinderella classic cocacola computer
contrasena cookie coolcool corvette courtney cowboys creative cristina crystal daniel danielle dankeschoen default deutschland diamond
disney dolphin dolphins dortmund dragon dragonball dragonfly drowssap dummy einfach einsatz eintracht elefant elephant elisabeth
elizabeth elizabet emergency england enterprise erdbeere eternity everton explorer facebook familie family familyguy fantasia
fenerbahce ferrari feuerwehr feuerwehrmann firefighter fireman firestone fisherman flamingo florence florian flower flowers football
football1 footballs formula1 frankfurt freedom freedom1 fruehling fussball galatasaray gangster gateway geheim geheimnis general
geronimo giovanni girasole godzilla goodluck google greenday grandma guinness gustavo hallo hallohallo hallowelt hamburg hamilton hannover
happiness happybirthday hardcore harley harrypotter hawaii helloworld hello hellokitty herzlich herbst hockey hollywood holiday
hotmail housewife hunter iceman ihateyou iloveyou iloveyou2 iloveu ichliebedich infinity internet inuyasha ironman isabella
jackson jacqueline jasmine jennifer jeremiah jessica jonathan jordan joshua kartoffel katherine katze kawasaki killer kimberly kindergarten kitty
knoblauch koeln korrekt kristina kuckuck lakers lalalala landscape lasvegas lebensfreude legend leonardo letmein letmeinnow
leverkusen liebe lightning lindsay liverpool lokomotive london looking lovelove lovely loveme lovemetoo loveyou macintosh madison
manchester manager margaret marina marlboro marseille master masterkey matrix matthew maverick maximilian mercedes mercedesbenz
merlin metallica michael michelle microsoft midnight millenium minecraft mississippi mohammed mohammad monday monkey monster
montag morning motorola mountain mueller muenchen music mustang mypassword myspace nascar natalie natasha newpassword newyork
nicholas nichole nintendo nirvana nothing notfall november october oktober onelove operator orlando packers panther paradise paris
parola pass passe passpass passport passw0rd password passwordpassword passwort passwortpasswort patricia patrick peaches peanut pepper
pferdchen phoenix platinum playboy playstation please pokemon pomodoro portugal power precious prinzessin princesa princess private
professional prosperity protected puppy purple q1w2e3r4 q1w2e3r4t5 qawsedrf qazwsx qazwsxedc qazwsxedcrfv qwaszx qweasdzxc qweqweqwe
qwerasdf qwert qwerty qwertyqwerty qwertyui qwertyuiop qwertz qwertzui qwertzuiop rainbow ranger rebecca redbull remember
rettung rettungsdienst rettungswagen robert rockstar romantic ronaldo rosebud runescape samantha samsung sandra sanitaeter santiago
sascha savannah schalke schatz schatzi schmetterling schneider schokolade schule scorpion scooter secret secretpassword security
september server service shadow shannon sharpie sicherheit silver simpsons skateboard slipknot snowball snowboard soccer softball
sommer sommerferien sonne sonnenblume sonnenschein sonntag spiderman spongebob spring springtime starcraft startrek startstart starwars start
stefanie stephanie steelers strawberry stuttgart student summer summertime sunflower sunshine superman superstar supernova support
surfer swordfish system taylor technology teddybear temporary temppass tequiero test testing testpass testpassword testtest
thailand theboss thebest thomas thunder tiffany tigger tinkerbell tomorrow topsecret toyota transformer treasure trinity trustme
trustno trustnoone turnout tweety twilight undertaker unicorn united unknown user username valentina valentine vanessa vegeta
verein veronica victoria victory vorname wachtmeister wahrheit waldmeister warcraft warrior wasser wassermelone weihnachten welcome
welcomehome werder westlife whatever william williams willkommen wilhelm windows winner winter winterzeit wizard wolfgang wolfsburg
wonderful wordpass xxxxxx yamaha yankees yellow zaq12wsx zaq1zaq1 zaqwsxcde zuhause zusammen zxcvbnm
volunteer volunteers volunteering ehrenamt ehrenamtlich helfer helferin freiwillig freiwillige mitglied rotkreuz roteskreuz
johanniter malteser ersthelfer dienstplan einsatzplan
`
    .split(/\s+/)
    .filter(Boolean),
)
