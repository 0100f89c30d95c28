"""Whether a word was only misspelt: certain, or it is no typo.

Most pairs of words that differ in one letter are two words (`prevent`, `present`). So a correction is certain
only where the wrong word is a well-known mistake, or where two neighbouring letters of a long word were
swapped. Letters of other scripts carry too much: there one stroke is another word.
"""

import re


def _words(text: str) -> list[str]:
    return text.split()


_MEANING_BEARING = frozenset(
    _words(
        """
        must shall should may might can could will would need needs required require optional recommended
        never always not no only all any each every some none both either neither least most more less than
        before after until unless except without within and or but if
        """
    )
)
_MISSPELT = dict(
    pair.split(":")
    for pair in _words(
        """
        absense:absence accesible:accessible accidentaly:accidentally accomodate:accommodate acheive:achieve
        acknowlege:acknowledge acording:according adress:address agressive:aggressive alreday:already
        apparant:apparent arguement:argument asynchronus:asynchronous athentication:authentication
        authetication:authentication availabe:available availible:available avalable:available
        becuase:because begining:beginning beleive:believe benifit:benefit catagory:category
        charachter:character choosen:chosen comming:coming commited:committed commiting:committing
        compatability:compatibility compatable:compatible completly:completely concious:conscious
        configuraton:configuration consistant:consistent containes:contains convienient:convenient
        coresponding:corresponding curently:currently decison:decision definately:definitely
        dependancy:dependency desgin:design destory:destroy developement:development diffrent:different
        dissapear:disappear documention:documentation embarass:embarrass enviroment:environment
        equiptment:equipment excede:exceed existance:existence existant:existent explaination:explanation
        familar:familiar finaly:finally follwing:following foriegn:foreign fourty:forty freind:friend
        fuction:function fucntion:function funtion:function futher:further gaurd:guard goverment:government
        grammer:grammar gurantee:guarantee guarentee:guarantee happend:happened heirarchy:hierarchy
        hierachy:hierarchy immediatly:immediately implemention:implementation implmentation:implementation
        independant:independent infomation:information initalize:initialize inital:initial intial:initial
        interupt:interrupt knowlege:knowledge langauge:language lenght:length liason:liaison libary:library
        maintainance:maintenance maintenence:maintenance managment:management manualy:manually
        messsage:message millenium:millennium miniscule:minuscule mispell:misspell neccessary:necessary
        necesary:necessary nescessary:necessary noticable:noticeable occassion:occasion occurance:occurrence
        occured:occurred occurence:occurrence occuring:occurring oportunity:opportunity orignal:original
        overriden:overridden paramter:parameter parametr:parameter passwrod:password peform:perform
        perfomance:performance permanant:permanent persistant:persistent posession:possession
        posible:possible postion:position prefered:preferred preperation:preparation privelege:privilege
        priviledge:privilege proccess:process programing:programming publically:publicly querys:queries
        realy:really reccomend:recommend recomend:recommend recieve:receive recieving:receiving
        refered:referred refering:referring relevent:relevant religous:religious reponse:response
        repsonse:response requirment:requirement resouce:resource responce:response
        responsability:responsibility retreive:retrieve retrive:retrieve rythm:rhythm seperate:separate
        sepcific:specific sheduled:scheduled similiar:similar simultanous:simultaneous speach:speech
        specifed:specified strenght:strength succesful:successful successfull:successful
        succesfully:successfully sucess:success suport:support suprise:surprise synchronus:synchronous
        teh:the thier:their threshhold:threshold tommorow:tomorrow transfered:transferred truely:truly
        tryed:tried unforseen:unforeseen unfortunatly:unfortunately unneccessary:unnecessary usefull:useful
        usally:usually vaild:valid varaible:variable verison:version visable:visible wich:which wierd:weird
        writen:written writting:writing
    """
    )
)
_ENDINGS = ("", "s", "d", "ed", "es", "ly", "al", "ally", "er", "ers", "ing", "ness")
_LONG = 7
_BOTH_ARE_WORDS = frozenset({"marital", "martial", "calvary", "cavalry"})
"""Long words that a swap turns into each other."""
_WORD = re.compile(r"([^\w`]*)([A-Za-z]+)([^\w`]*)")
"""Not in back quotes: there it is code."""


def is_misspelling(wrong: str, right: str) -> bool:
    """Whether `right` is what was meant by `wrong`, and nothing else can have been."""
    was, now = _WORD.fullmatch(wrong), _WORD.fullmatch(right)
    if was is None or now is None or (was[1], was[3]) != (now[1], now[3]):
        return False
    if _case(was[2]) != _case(now[2]) or _case(was[2]) == "mixed":
        return False
    old, new = was[2].lower(), now[2].lower()
    if {old, new} & _MEANING_BEARING or new in _MISSPELT:
        return False
    return _well_known(old, new) or _swapped(old, new)


def _case(word: str) -> str:
    """A mixed one is a name in code."""
    if word.islower():
        return "lower"
    return "title" if word.istitle() else "upper" if word.isupper() else "mixed"


def _well_known(old: str, new: str) -> bool:
    return any(
        old.endswith(ending)
        and new.endswith(ending)
        and _MISSPELT.get(old.removesuffix(ending)) == new.removesuffix(ending)
        for ending in _ENDINGS
    )


def _swapped(old: str, new: str) -> bool:
    if len(old) != len(new) or len(old) < _LONG or old in _BOTH_ARE_WORDS:
        return False
    places = [place for place, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    return (
        len(places) == 2
        and places[1] == places[0] + 1
        and places[0] > 0
        and old[places[0]] == new[places[1]]
        and old[places[1]] == new[places[0]]
    )
