{{handle}}


{{signature}}
    {{doc}}
    {{call}}
